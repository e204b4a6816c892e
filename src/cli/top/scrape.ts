import { type MetricSample, parseSamples } from './samples.ts';

/** What a server has said of itself at one moment. */
export interface Scrape {
  /** Milliseconds since some fixed moment. */
  readonly at: number;
  readonly samples: readonly MetricSample[];
}

type Labels = Readonly<Record<string, string>>;

export const toScrape = (text: string, at: number): Scrape => ({ at, samples: parseSamples(text) });

/** The values of a metric with these labels, together; 0 if there are none. */
export function sumMetric({ samples }: Scrape, name: string, labels: Labels = {}): number {
  let sum = 0;
  for (const sample of samples) if (sample.name === name && matches(sample, labels)) sum += sample.value;
  return sum;
}

/** The values that a label has in a metric, in their order. */
export function labelValues({ samples }: Scrape, name: string, label: string, labels: Labels = {}): string[] {
  const found = samples.filter((sample) => sample.name === name && matches(sample, labels));
  return [...new Set(found.flatMap((sample) => sample.labels[label] ?? []))];
}

/** How many observations a histogram has up to each of its bounds, the last of which is infinite. */
export function histogramBuckets({ samples }: Scrape, name: string, labels: Labels = {}): Map<number, number> {
  const buckets = new Map<number, number>();
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket` || !matches(sample, labels)) continue;
    const bound = Number((sample.labels.le ?? '').replace(/^\+?Inf$/i, 'Infinity'));
    buckets.set(bound, (buckets.get(bound) ?? 0) + sample.value);
  }
  return new Map([...buckets].sort(([a], [b]) => a - b));
}

const matches = (sample: MetricSample, labels: Labels): boolean =>
  Object.entries(labels).every(([name, value]) => sample.labels[name] === value);
