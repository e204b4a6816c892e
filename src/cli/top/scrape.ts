import { deadlineSignal, failureReason, fieldsOf, oneLine, sum, truncate, tryParseJson } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { requestOnce, schemeAdvice } from '../remote/connect.ts';
import type { ConnectionFlags } from '../remote/flags.ts';
import { connectionAdvice } from '../report-failure.ts';

/** Default of --timeout. */
export const DEFAULT_TIMEOUT_SECONDS = 5;
/** Larger than the metrics of any server. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Requests the metrics and the readiness of a server.
 *
 * @throws CliError if it does not respond, requires a key, or has no ORS metrics.
 */
export async function scrapeServer(url: string, flags: ConnectionFlags, signal: AbortSignal) {
  const request = (path: string) =>
    get(url + path, flags, signal).catch(async (error: unknown) => {
      signal.throwIfAborted();
      const cause = oneLine(failureReason(error));
      const advice = (await schemeAdvice(url, error)) ?? connectionAdvice(error);
      throw new CliError(`no response from ${url}: ${cause}; ${advice}`);
    });
  const [metrics, ready] = await Promise.all([request('/metrics'), request('/ready')]);
  assertMetrics(url, metrics);
  const scrape = toScrape(metrics.body, performance.now());
  if (sumMetric(scrape, 'ors_build_info') === 0)
    throw new CliError(`${url}/metrics has no metrics of an ORS server; ${ADVICE}`);
  // The time is Unix time in seconds.
  return { scrape, ready: ready.status === 200, time: Date.now() / 1_000 };
}

export type ServerSnapshot = Awaited<ReturnType<typeof scrapeServer>>;

const ADVICE = 'ors top works with servers of ors serve and of ors-kit';

function assertMetrics(url: string, { status, body }: Awaited<ReturnType<typeof get>>): void {
  if (status === 200) return;
  const output = `${url}/metrics responded ${status} ${detailOf(body)}`.trim();
  if (status === 401 || status === 403) throw new CliError(`${output}; pass a key with --api-key or ORS_API_KEY`);
  if (status === 404 || status === 405) throw new CliError(`${output}: it has no metrics, or they are off; ${ADVICE}`);
  throw new CliError(output);
}

function detailOf(body: string): string {
  const { detail } = fieldsOf(tryParseJson(body));
  return typeof detail === 'string' ? truncate(oneLine(detail), 200) : '';
}

async function get(target: string, flags: ConnectionFlags, signal: AbortSignal) {
  const { apiKey, header, ca, timeout = DEFAULT_TIMEOUT_SECONDS } = flags;
  const headers = { ...(apiKey !== undefined && { 'X-API-Key': apiKey }), ...header };
  const deadline = deadlineSignal(timeout * 1_000, () => new Error(`timeout after ${timeout} s`), signal);
  try {
    const response = await requestOnce(target, { headers, ca, signal: deadline.signal });
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length;
      parts.push(part);
      if (length > MAX_BYTES) throw new Error(`the response is larger than ${MAX_BYTES} bytes`);
    }
    return { status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() };
  } catch (error) {
    throw deadline.isTimedOut ? deadline.signal.reason : error;
  } finally {
    deadline.release();
  }
}

/** Metrics of a server at one time. */
export interface Scrape {
  /** Milliseconds since a fixed point in time. */
  readonly at: number;
  readonly samples: readonly MetricSample[];
}

export type Labels = Readonly<Record<string, string>>;

export const toScrape = (text: string, at: number): Scrape => ({ at, samples: parseSamples(text) });

/** Returns the sum of the samples of a metric with these labels; 0 if there are none. */
export function sumMetric({ samples }: Scrape, name: string, labels: Labels = {}): number {
  return sum(samples.filter((sample) => sample.name === name && matches(sample, labels)).map(({ value }) => value));
}

/** Returns the distinct values of a label of a metric, in order. */
export function labelValues({ samples }: Scrape, name: string, label: string, labels: Labels = {}): string[] {
  const found = samples.filter((sample) => sample.name === name && matches(sample, labels));
  return [...new Set(found.flatMap((sample) => sample.labels[label] ?? []))];
}

/** Returns the cumulative counts of a histogram by upper bound; the last bound is infinite. */
export function histogramBuckets({ samples }: Scrape, name: string, labels: Labels = {}): Map<number, number> {
  const buckets = new Map<number, number>();
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket` || !matches(sample, labels)) continue;
    const bound = readValue(sample.labels.le ?? '');
    buckets.set(bound, (buckets.get(bound) ?? 0) + sample.value);
  }
  return new Map([...buckets].sort(([a], [b]) => a - b));
}

const matches = (sample: MetricSample, labels: Labels): boolean =>
  Object.entries(labels).every(([name, value]) => sample.labels[name] === value);

/** Sample of a metric. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)\s*(?:\{(.*)\})?\s+([+-]?(?:[\d.][\w.+-]*|inf|nan))(?:\s+-?\d+)?\s*$/i;
const LABEL = /\s*([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/gy;

/** Parses Prometheus' text format; skips comments and invalid lines. */
export function parseSamples(text: string): MetricSample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: readValue(value) }];
  });
}

const readLabels = (text: string): Labels =>
  Object.fromEntries([...text.matchAll(LABEL)].map(([, name, value = '']) => [name, unescaped(value)]));

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));

const readValue = (text: string): number => Number(text.replace(/^([+-]?)inf\w*$/i, '$1Infinity'));

const WINDOW_MS = 10_000;

/** Creates a function that stores a scrape and returns the one to compare it with: the oldest of the last ten seconds. */
export function createScrapeWindow(): (scrape: Scrape) => Scrape | undefined {
  let kept: Scrape[] = [];
  return (scrape) => {
    const isSame = kept.every((each) => startOf(each) === startOf(scrape));
    // A restarted server counts from 0.
    if (!isSame) kept = [];
    kept = kept.filter(({ at }) => scrape.at - at <= WINDOW_MS);
    const [oldest] = kept;
    kept.push(scrape);
    return oldest;
  };
}

const startOf = (scrape: Scrape): number => sumMetric(scrape, 'process_start_time_seconds');
