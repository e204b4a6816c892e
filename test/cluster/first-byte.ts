import type { Cluster } from './cluster.ts';
import type { Player } from './players.ts';

/** Times of one call's response. */
export interface Answer {
  /** Time to the first byte, in ms. */
  readonly firstByteMs: number;
  /** Time to the first comment, in ms; undefined if the response has none. */
  readonly firstCommentMs: number | undefined;
}

/** Calls a tool with nothing between this and the proxy; says when the answer has its first comment. */
export async function readCall(
  { proxy }: Cluster,
  { session }: Player,
  tool: string,
  input: object,
  onComment: () => void = () => {},
): Promise<Answer> {
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  const response = await fetch(`${proxy.url}/counting/call`, {
    method: 'POST',
    headers: { 'X-Session-ID': session.sid, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ name: tool, input }),
  });
  const decoder = new TextDecoder();
  let text = '';
  let firstByteMs: number | undefined;
  let firstCommentMs: number | undefined;
  for await (const bytes of response.body ?? []) {
    firstByteMs ??= since();
    text += decoder.decode(bytes, { stream: true });
    if (firstCommentMs !== undefined || !/^:/m.test(text)) continue;
    firstCommentMs = since();
    onComment();
  }
  if (firstByteMs === undefined) throw new Error(`the answer had no byte, and the status ${response.status}`);
  return { firstByteMs, firstCommentMs };
}
