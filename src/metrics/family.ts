/** All values of one metric, by their labels. */
export interface MetricFamily<Value> {
  /** The value at these labels, in the order of their names; it begins at nothing. */
  labels(...labels: string[]): Value;
  /** Forgets all values. */
  clear(): void;
  /** In Prometheus' text format. */
  text(): string;
}

export interface FamilyOptions {
  readonly name: string;
  readonly help: string;
  /** Names of labels. */
  readonly labels?: readonly string[];
}

/** A number: a counter, which only ever grows, or a gauge. */
export interface MetricValue {
  value: number;
}

export const counters = (options: FamilyOptions): MetricFamily<MetricValue> => figures('counter', options);
export const gauges = (options: FamilyOptions): MetricFamily<MetricValue> => figures('gauge', options);

const figures = (type: string, options: FamilyOptions) =>
  family<MetricValue>(type, options, {
    begin: () => ({ value: 0 }),
    lines: ({ value }, labels) => [`${options.name}${braced(labels)} ${value}`],
  });

/** How often values lay within bounds, and what they are together. */
export interface HistogramMetric {
  observe(value: number): void;
}

interface Buckets extends HistogramMetric {
  /** How many values lie in each bucket, not counting those below; the last one has no upper bound. */
  readonly counts: number[];
  sum: number;
}

/** @param bounds The upper bounds of the buckets, smallest first. */
export function histograms(options: FamilyOptions, bounds: readonly number[]): MetricFamily<HistogramMetric> {
  const { name } = options;
  return family<Buckets>('histogram', options, {
    begin: () => ({
      counts: new Array(bounds.length + 1).fill(0),
      sum: 0,
      observe(value) {
        let at = 0;
        while (at < bounds.length && value > (bounds[at] as number)) at++;
        this.counts[at] = (this.counts[at] as number) + 1;
        this.sum += value;
      },
    }),
    lines({ counts, sum }, labels) {
      let count = 0;
      const buckets = counts.map((own, at) => {
        count += own;
        return `${name}_bucket${braced([...labels, `le="${bounds[at] ?? '+Inf'}"`])} ${count}`;
      });
      return [...buckets, `${name}_sum${braced(labels)} ${sum}`, `${name}_count${braced(labels)} ${count}`];
    },
  });
}

interface MetricType<Value> {
  readonly begin: () => Value;
  /** Labels are written as in the text. */
  readonly lines: (value: Value, labels: readonly string[]) => string[];
}

function family<Value>(
  type: string,
  { name, help, labels: names = [] }: FamilyOptions,
  { begin, lines }: MetricType<Value>,
): MetricFamily<Value> {
  let values: { readonly labels: readonly string[]; readonly value: Value }[] = [];
  let root = new Node<Value>();
  const at = (...labels: string[]): Value => {
    let node = root;
    // Label by label: to join them would cost each observation more than to find its place.
    for (const label of labels) node = node.below(label);
    if (node.value === undefined) {
      node.value = begin();
      values.push({ labels: labels.map((label, index) => `${names[index]}="${escaped(label)}"`), value: node.value });
    }
    return node.value;
  };
  // What has no labels is there from the beginning.
  if (names.length === 0) at();
  return {
    labels: at,
    clear() {
      values = [];
      root = new Node();
    },
    text() {
      const all = values.flatMap(({ labels, value }) => lines(value, labels));
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...all, ''].join('\n');
    },
  };
}

/** The place of some labels; below it are those of the same labels and one more. */
class Node<Value> {
  value: Value | undefined;
  readonly #below = new Map<string, Node<Value>>();

  below(label: string): Node<Value> {
    const known = this.#below.get(label);
    if (known) return known;
    const node = new Node<Value>();
    this.#below.set(label, node);
    return node;
  }
}

const braced = (labels: readonly string[]): string => (labels.length === 0 ? '' : `{${labels.join(',')}}`);

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const escaped = (value: string): string => value.replace(/[\\"\n]/g, (one) => ESCAPES[one] ?? one);
