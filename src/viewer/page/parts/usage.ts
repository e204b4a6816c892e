import type { JSONObject, Trace } from '../../../../generated/trace.ts';

/** Tokens that a trace says to have taken. */
export interface TraceTokenUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number;
}

const INPUT = ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens'];
const OUTPUT = ['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'];
const TOTAL = ['total_tokens', 'totalTokens'];

/** What `usage` in the metadata or the rollout_info of a trace tells, by the names that providers use. */
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

/** What can be counted: some write what is below nothing, or has 300 digits. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
