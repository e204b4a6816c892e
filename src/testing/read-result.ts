import type { RunToolOutput } from '../protocol/index.ts';
import type { ServerSentEvent } from '../sse/index.ts';

/** Puts a call's events together. @throws Error with the text of an `error` event, or if the stream ends too early. */
export async function readResult(events: AsyncIterable<ServerSentEvent>): Promise<RunToolOutput> {
  let json = '';
  for await (const { event, data } of events) {
    if (event === 'error') throw new Error(data);
    if (event === 'chunk' || event === 'end') json += data;
    if (event === 'end') return JSON.parse(json);
  }
  throw new Error('the stream ended before the result did');
}
