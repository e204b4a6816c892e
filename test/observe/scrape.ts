import { type MetricSample, parseSamples } from '../../src/cli/top/scrape.ts';
import { until } from '../support/until.ts';

/** The metrics of a server, by name and labels as in the text: `ors_sessions{environment="lab",...}`. */
export interface Scraped {
  readonly text: string;
  readonly samples: readonly MetricSample[];
  /** The value of a metric at these labels and no others; undefined if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
  /** All values that a label has, in all metrics. */
  labelled(label: string): Set<string>;
}

export async function scrape({ url }: { readonly url: string }): Promise<Scraped> {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const text = await response.text();
  const samples = parseSamples(text);
  return {
    text,
    samples,
    value: (name, labels = {}) =>
      samples.find((one) => one.name === name && JSON.stringify(sorted(one.labels)) === JSON.stringify(sorted(labels)))
        ?.value,
    labelled: (label) => new Set(samples.flatMap(({ labels }) => labels[label] ?? [])),
  };
}

const sorted = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));

/** Scrapes until something holds. */
export const scrapeUntil = (server: { readonly url: string }, holds: (scraped: Scraped) => boolean): Promise<Scraped> =>
  until(async () => {
    const scraped = await scrape(server);
    return holds(scraped) && scraped;
  }, `${holds}`);
