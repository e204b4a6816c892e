import { truncate, tryParseJson } from '../core/index.ts';
import { decodeEvents } from '../sse/index.ts';
import { ConnectionFailure } from './connection-failure.ts';
import { OrsProtocolError } from './errors.ts';
import { bounded, isDrained, isEventStream, readText } from './read-body.ts';
import { type Outcome, readOutcome } from './result.ts';
import type { TransportResponse } from './transport.ts';

/** An answer to a call. `isDrained`: nothing more comes, and the connection serves the next request. */
export type Answer = (Outcome | { readonly kind: 'crash'; readonly text: string }) & { readonly isDrained: boolean };

interface Listener {
  /** Called for all that arrives. */
  readonly onPiece: () => void;
  /** Called with the name that the server gives the call. */
  readonly onTaskId: (id: string) => void;
}

/**
 * Reads the answer to a call: its events, or JSON from servers that answer in one piece.
 *
 * @throws ConnectionFailure if it ends too early; OrsProtocolError if it is no result; what the listener throws.
 */
export async function readAnswer(
  url: string,
  response: TransportResponse,
  { onPiece, onTaskId }: Listener,
): Promise<Answer> {
  const type = response.header('Content-Type') ?? 'no media type';
  if (!isEventStream(response)) return { ...toAnswer(await readText(url, response, onPiece), type), isDrained: true };
  let isOver = false;
  const bytes = async function* () {
    yield* bounded(url, response, onPiece);
    isOver = true;
  };
  const events = decodeEvents(bytes(), { unended: 'give' });
  const parts: string[] = [];
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new ConnectionFailure(CUT);
    const { event, data } = value;
    // What comes now has no blank line behind it: some servers forget that line, or the stream is cut in the middle.
    const mayBeCut = isOver;
    if (event === 'task_id' && !mayBeCut) onTaskId(data);
    if (event === 'error') return { kind: 'crash', text: data, isDrained: await isDrained(events.next()) };
    if (event !== 'chunk' && event !== 'end') continue;
    parts.push(data);
    if (event !== 'end') continue;
    const json = parts.join('');
    if (mayBeCut && tryParseJson(json) === undefined) throw new ConnectionFailure(CUT);
    return { ...toAnswer(json, type), isDrained: await isDrained(events.next()) };
  }
}

const CUT = 'the stream ended before the result did';

function toAnswer(json: string, type: string): Outcome {
  const value = tryParseJson(json);
  if (value === undefined) {
    throw new OrsProtocolError(`the result of the call is ${type} that is not JSON: ${truncate(json, 80)}`);
  }
  return readOutcome(value);
}
