import type { Cluster } from './cluster.ts';
import type { Player } from './players.ts';

/** What came of a call, byte by byte. */
export interface Answer {
  /** Until the first byte, in ms. */
  readonly firstByteMs: number;
  /** Until the first comment; undefined if the answer had none. */
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
