/** All values of one metric, by their labels. */
export interface MetricFamily<Value> {
  /** Returns the value with these labels, in the order of the label names. Creates it on first use. */
  labels(...labels: string[]): Value;
  /** Removes all values. */
  clear(): void;
  /** Returns the values in the Prometheus text format. */
  text(): string;
}

export interface FamilyOptions {
  readonly name: string;
  readonly help: string;
  /** Label names. */
  readonly labels?: readonly string[];
}

/** Value of a counter, which never decreases, or of a gauge. */
export interface MetricValue {
  value: number;
}

export const counters = (options: FamilyOptions): MetricFamily<MetricValue> => numbers('counter', options);
export const gauges = (options: FamilyOptions): MetricFamily<MetricValue> => numbers('gauge', options);

const numbers = (type: string, options: FamilyOptions) =>
  family<MetricValue>(type, options, {
    begin: () => ({ value: 0 }),
    lines: ({ value }, labels) => [`${options.name}${inBraces(labels)} ${value}`],
  });

/** Counts of observed values by bucket, and their sum. */
export interface HistogramMetric {
  observe(value: number): void;
}

interface Buckets extends HistogramMetric {
  /** Number of values in each bucket, not cumulative. The last bucket has no upper bound. */
  readonly counts: number[];
  sum: number;
}

/** @param bounds upper bounds of the buckets, in ascending order. */
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
        return `${name}_bucket${inBraces([...labels, `le="${bounds[at] ?? '+Inf'}"`])} ${count}`;
      });
      return [...buckets, `${name}_sum${inBraces(labels)} ${sum}`, `${name}_count${inBraces(labels)} ${count}`];
    },
  });
}

interface MetricType<Value> {
  readonly begin: () => Value;
  /** Returns the lines of a value. The labels are already formatted. */
  readonly lines: (value: Value, labels: readonly string[]) => string[];
}

function family<Value>(
  type: string,
  { name, help, labels: names = [] }: FamilyOptions,
  { begin, lines }: MetricType<Value>,
): MetricFamily<Value> {
  let values: { readonly labels: readonly string[]; readonly value: Value }[] = [];
  let root = new LabelNode<Value>();
  const at = (...labels: string[]): Value => {
    let node = root;
    // Looking up each label is faster than joining them into one key.
    for (const label of labels) node = node.child(label);
    if (node.value === undefined) {
      node.value = begin();
      values.push({
        labels: labels.map((label, index) => `${names[index]}="${escapeLabel(label)}"`),
        value: node.value,
      });
    }
    return node.value;
  };
  // A metric without labels has its value from the start.
  if (names.length === 0) at();
  return {
    labels: at,
    clear() {
      values = [];
      root = new LabelNode();
    },
    text() {
      const all = values.flatMap(({ labels, value }) => lines(value, labels));
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...all, ''].join('\n');
    },
  };
}

/** Node of a trie: the value with the labels on the path to it. */
class LabelNode<Value> {
  value: Value | undefined;
  readonly #children = new Map<string, LabelNode<Value>>();

  child(label: string): LabelNode<Value> {
    const known = this.#children.get(label);
    if (known) return known;
    const node = new LabelNode<Value>();
    this.#children.set(label, node);
    return node;
  }
}

const inBraces = (labels: readonly string[]): string => (labels.length === 0 ? '' : `{${labels.join(',')}}`);

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const escapeLabel = (value: string): string => value.replace(/[\\"\n]/g, (one) => ESCAPES[one] ?? one);
