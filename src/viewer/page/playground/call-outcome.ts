import { isRecord, truncate, tryParseJson } from '../../../core/index.ts';
import type { ToolOutput } from '../../../protocol/index.ts';
import { sumRewards } from '../parts/rewards.ts';

/** Result of a call: an output, a tool error that the player can act on, or a failed call. */
export type PlaygroundCallOutcome =
  | { readonly kind: 'output'; readonly output: ToolOutput }
  | { readonly kind: 'refused'; readonly error: string; readonly reason?: string }
  | { readonly kind: 'crashed'; readonly error: string };

/**
 * Reads the result from the events of a call; undefined if they end without one. Source: HTTP API, "SSE Event Types".
 *
 * @param onEvent called for each event.
 */
export async function readCallOutcome(
  events: AsyncIterable<{ readonly event: string; readonly data: string }>,
  onEvent: () => void = () => {},
): Promise<PlaygroundCallOutcome | undefined> {
  let json = '';
  for await (const { event, data } of events) {
    onEvent();
    if (event === 'error') return { kind: 'crashed', error: data };
    if (event === 'chunk') json += data;
    if (event === 'end') return read(json + data);
  }
  return undefined;
}

function read(json: string): PlaygroundCallOutcome {
  const result = tryParseJson(json);
  // The server follows the standard; anything else is shown as it came.
  if (!isRecord(result)) return { kind: 'crashed', error: `the result is not a JSON object: ${truncate(json, 200)}` };
  const { ok, output, error, reason } = result;
  // Validated by the server.
  if (ok && output) return { kind: 'output', output: output as ToolOutput };
  const text = typeof error === 'string' ? error : JSON.stringify(error ?? result);
  return { kind: 'refused', error: text, ...(typeof reason === 'string' && { reason }) };
}

/** Returns the sum of the rewards; null if no call returned one. */
export function rewardSum(calls: readonly { readonly outcome?: PlaygroundCallOutcome }[]): number | null {
  return sumRewards(calls.map(({ outcome }) => (outcome?.kind === 'output' ? outcome.output.reward : undefined)));
}
