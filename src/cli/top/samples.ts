/** One value of a scrape. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)\s*(?:\{(.*)\})?\s+([+-]?(?:[\d.][\w.+-]*|inf|nan))(?:\s+-?\d+)?\s*$/i;
const LABEL = /\s*([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/gy;

/**
 * Reads Prometheus' text format. Lines that are none of it are left out, as are comments, which say nothing that is
 * needed here.
 */
export function parseSamples(text: string): MetricSample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: readValue(value) }];
  });
}

function readLabels(text: string): Record<string, string> {
  const pairs = [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescaped(value)] as const);
  return Object.fromEntries(pairs);
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));

function readValue(text: string): number {
  if (/^[+-]?inf/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}
