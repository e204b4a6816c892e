import type { Score, Trace } from '../../../generated/trace.ts';
import { csvRow, fieldsOf, parseExactJson, stringifyJson } from '../../core/index.ts';
import { asList } from '../conversation/index.ts';

/** A message of a row, in the form of OpenAI's chat completions. */
export interface TableMessage {
  readonly role: string;
  /** Text; JSON of the parts if there are several. */
  readonly content: string | null;
  readonly reasoning_content: string | null;
  /** JSON. */
  readonly tool_calls: string | null;
  readonly tool_call_id: string | null;
}

/** A trace as a row of a table. */
export interface TableRow {
  readonly trace: Trace;
  readonly messages: readonly TableMessage[];
  /** JSON of the tools in OpenAI's format. */
  readonly tools: string | null;
  /** JSON of the scores. */
  readonly scores: string;
}

type ColumnType = 'text' | 'whole' | 'real' | 'json' | 'time';

/** Columns of a table before `scores`, `tools` and `messages`. */
export const COLUMNS = {
  id: 'text',
  name: 'text',
  run: 'text',
  environment: 'text',
  variant: 'text',
  split: 'text',
  task_index: 'whole',
  task_key: 'text',
  task_spec: 'json',
  group_id: 'text',
  step: 'whole',
  rollout_index: 'whole',
  parent_trace_id: 'text',
  parent_calls: 'whole',
  model: 'text',
  status: 'text',
  tags: 'json',
  reward_sum: 'real',
  reward_last: 'real',
  reward_max: 'real',
  reward_count: 'whole',
  block_count: 'whole',
  bytes: 'whole',
  error_count: 'whole',
  created_at: 'time',
  finished_at: 'time',
  updated_at: 'time',
  metadata: 'json',
  run_info: 'json',
  rollout_info: 'json',
} as const satisfies Partial<Record<keyof Trace, ColumnType>>;

export type ColumnName = keyof typeof COLUMNS;

/** Names of the columns. Its keys are names. */
export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly ColumnName[];

/** Writes tables piece by piece. */
export interface TableWriter {
  /** @returns what can be sent already; may be empty. */
  add(row: TableRow): string | Uint8Array;
  /** Called once, after the last row. */
  finish(): string | Uint8Array;
}

/** A format with a row for each trace. */
export interface TableFormat {
  /** File extension, without the first dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** @throws MissingPackageError if the format needs a package that is not installed. */
  readonly open: () => Promise<TableWriter>;
}

/**
 * CSV by RFC 4180, with a row for each trace; objects, tags, scores, tools and messages are JSON. Text that a spreadsheet would run
 * as a formula is prefixed with an apostrophe.
 */
export const csv: TableFormat = {
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  async open() {
    let head = csvRow([...COLUMN_NAMES, 'scores', 'tools', 'messages']);
    const takeHead = () => {
      const text = head;
      head = '';
      return text;
    };
    return {
      add({ trace, scores, tools, messages }) {
        const cells = COLUMN_NAMES.map((name) => cellOf(trace, name));
        return takeHead() + csvRow([...cells, scores, tools, stringifyJson(messages.map(definedParts))]);
      },
      finish: takeHead,
    };
  },
};

/** Returns a value of a trace; objects and lists as JSON. */
export function cellOf(trace: Trace, name: ColumnName): string | number | null {
  const value = trace[name] ?? null;
  return typeof value === 'object' && value !== null ? stringifyJson(value) : value;
}

const definedParts = (message: TableMessage): object =>
  Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null));

/** @param example the trace in the format `openai`: a line, or nothing for a trace without messages. */
export function toTableRow(trace: Trace, scores: readonly Score[], example: string): TableRow {
  const { messages, tools } = fieldsOf(example === '' ? {} : parseExactJson(example));
  return {
    trace,
    scores: stringifyJson(scores),
    messages: asList(messages).map((each) => toTableMessage(fieldsOf(each))),
    tools: tools === undefined ? null : stringifyJson(tools),
  };
}

function toTableMessage(message: Readonly<Record<string, unknown>>): TableMessage {
  const { role, content, reasoning_content, tool_calls, tool_call_id } = message;
  return {
    role: String(role),
    content: textOrJson(content),
    reasoning_content: textOrJson(reasoning_content),
    tool_calls: textOrJson(tool_calls),
    tool_call_id: textOrJson(tool_call_id),
  };
}

function textOrJson(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : stringifyJson(value);
}
