import type { JSONObject, Trace } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';

/** Times of a trace. An imported trace has new times, and its original ones in its metadata. */
export interface TraceTimes {
  readonly created_at: string;
  readonly finished_at: string | null;
  /** Time of the import, if the trace was imported. */
  readonly imported_at: string | undefined;
}

export function toTraceTimes({
  metadata,
  created_at,
  finished_at,
}: Pick<Trace, 'metadata' | 'created_at' | 'finished_at'>): TraceTimes {
  const own = Object(metadata.imported) as { readonly created_at?: unknown; readonly finished_at?: unknown };
  if (!isTime(own.created_at)) return { created_at, finished_at, imported_at: undefined };
  const end = isTime(own.finished_at) ? own.finished_at : null;
  return { created_at: own.created_at, finished_at: end, imported_at: created_at };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Returns the total tokens of the traces that report them; undefined if none does. */
export function totalTokens(traces: readonly Pick<Trace, 'metadata' | 'rollout_info'>[]): number | undefined {
  const given = traces.flatMap((trace) => readTokenUsage(trace)?.total ?? []);
  return given.length === 0 ? undefined : sum(given);
}

/** Token counts that a trace reports. */
export interface TraceTokenUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number;
}

const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens'];
const OUTPUT = ['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'];
const TOTAL = ['total_tokens', 'totalTokens'];

/** Reads `usage` of the metadata or rollout_info of a trace, by the names that providers use. */
export function readTokenUsage({
  metadata,
  rollout_info,
}: Pick<Trace, 'metadata' | 'rollout_info'>): TraceTokenUsage | undefined {
  for (const place of [metadata.usage, rollout_info.usage, metadata, rollout_info]) {
    const usage = usageIn(place);
    if (usage) return usage;
  }
  return undefined;
}

function usageIn(place: unknown): TraceTokenUsage | undefined {
  if (typeof place !== 'object' || place === null) return undefined;
  const [input, output, total] = [INPUT, OUTPUT, TOTAL].map((names) => numberIn(place as JSONObject, names));
  if (input === undefined && output === undefined && total === undefined) return undefined;
  return { input, output, total: total ?? (input ?? 0) + (output ?? 0) };
}

const numberIn = (place: JSONObject, names: readonly string[]): number | undefined =>
  names.map((name) => place[name]).find(isAmount);

/** Rejects negative and absurdly large counts. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
