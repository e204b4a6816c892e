import { isRecord, truncate, tryParseJson } from '../../../core/index.ts';
import type { ToolOutput } from '../../../protocol/index.ts';

/** What came of a call: an output, a refusal that the player can act on, or a tool that failed itself. */
export type PlaygroundCallOutcome =
  | { readonly kind: 'output'; readonly output: ToolOutput }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'crashed'; readonly error: string };

/**
 * The outcome that the events of a call tell; undefined where they break off. Source: HTTP API, "SSE Event Types".
 *
 * @param onEvent told of each.
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
  // The server holds its answers to the standard; what is not of it is told as it came.
  if (!isRecord(result)) return { kind: 'crashed', error: `the result is no JSON object: ${truncate(json, 200)}` };
  const { ok, output, error } = result as Partial<{ ok: boolean; output: ToolOutput; error: unknown }>;
  if (ok && output) return { kind: 'output', output };
  return { kind: 'refused', error: typeof error === 'string' ? error : JSON.stringify(error ?? result) };
}
