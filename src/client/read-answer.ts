import { decodeEvents } from '../sse/index.ts';
import { ConnectionFailure } from './connection-failure.ts';
import { OrsProtocolError } from './errors.ts';
import { bounded, readText } from './read-text.ts';
import { type Outcome, readOutcome } from './result.ts';
import type { TransportResponse } from './transport.ts';

const CUT = 'the stream ended before the result did';
/** After the last event a server ends the stream; one that does not is left, after so many ms. */
const DRAIN_MS = 1_000;

/** An answer to a call. `isDrained`: nothing more comes, and the connection serves the next request. */
export type Answer = (Outcome | { readonly kind: 'crash'; readonly text: string }) & { readonly isDrained: boolean };

/**
 * Reads the answer to a call: its events, or JSON from servers that answer in one piece.
 *
 * @param heard called for all that arrives.
 * @param onTaskId called with the name that the server gives the call.
 * @throws ConnectionFailure if it ends too early; OrsProtocolError if it is no result.
 */
export async function readAnswer(
  response: TransportResponse,
  heard: () => void,
  onTaskId: (id: string) => void,
): Promise<Answer> {
  const type = response.header('Content-Type') ?? 'no media type';
  if (!type.startsWith('text/event-stream')) return { ...toAnswer(await readText(response), type), isDrained: true };
  const stream = { isOver: false };
  const events = decodeEvents(watched(response.bytes(), heard, stream), { unended: 'give' });
  const parts: string[] = [];
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new ConnectionFailure(CUT);
    const { event, data } = value;
    // What comes now has no blank line behind it: some servers forget that line, or the stream is cut in the middle.
    const mayBeCut = stream.isOver;
    if (event === 'task_id' && !mayBeCut) onTaskId(data);
    if (event === 'error') return { kind: 'crash', text: data, isDrained: await settles(events.next()) };
    if (event !== 'chunk' && event !== 'end') continue;
    parts.push(data);
    if (event !== 'end') continue;
    const json = parts.join('');
    if (mayBeCut && !isJson(json)) throw new ConnectionFailure(CUT);
    return { ...toAnswer(json, type), isDrained: await settles(events.next()) };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function toAnswer(json: string, type: string) {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new OrsProtocolError(`the result of the call is ${type} that is no JSON: ${json.slice(0, 80)}`);
  }
  return readOutcome(value);
}

async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  heard: () => void,
  stream: { isOver: boolean },
): AsyncGenerator<Uint8Array> {
  yield* bounded(bytes, heard);
  stream.isOver = true;
}

/** Whether something comes to an end, well or not, in the time that the end of a stream may take. */
async function settles(end: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  const settled = end.then(
    () => true,
    () => true,
  );
  const isSettled = await Promise.race([settled, tooLate]);
  clearTimeout(timer);
  return isSettled;
}
