import { truncate, tryParseJson } from '../core/index.ts';
import { decodeEvents } from '../sse/index.ts';
import { ConnectionFailure } from './connection-failure.ts';
import { OrsProtocolError } from './errors.ts';
import { endsWithin, isEventStream, limitBytes, readResponseText } from './read-body.ts';
import { parseToolOutcome, type ToolOutcome } from './result.ts';
import type { TransportResponse } from './transport.ts';

/** An answer to a call. `isDrained`: nothing more comes, and the connection serves the next request. */
export type CallResponse = (ToolOutcome | { readonly kind: 'crash'; readonly text: string }) & {
  readonly isFullyRead: boolean;
};

interface CallResponseListener {
  /** Called for all that arrives. */
  readonly onChunk: () => void;
  /** Called with the name that the server gives the call. */
  readonly onTaskId: (id: string) => void;
}

/**
 * Reads the answer to a call: its events, or JSON from servers that answer in one piece.
 *
 * @throws ConnectionFailure if it ends too early; OrsProtocolError if it is no result; what the listener throws.
 */
export async function readCallResponse(
  url: string,
  response: TransportResponse,
  { onChunk, onTaskId }: CallResponseListener,
): Promise<CallResponse> {
  const type = response.header('Content-Type') ?? 'no media type';
  if (!isEventStream(response))
    return { ...toAnswer(await readResponseText(url, response, onChunk), type), isFullyRead: true };
  let isOver = false;
  const bytes = async function* () {
    yield* limitBytes(url, response, onChunk);
    isOver = true;
  };
  const events = decodeEvents(bytes(), { incomplete: 'emit' });
  const parts: string[] = [];
  for (;;) {
    const { done, value } = await events.next();
    if (done) throw new ConnectionFailure(CUT);
    const { event, data } = value;
    // What comes now has no blank line behind it: some servers forget that line, or the stream is cut in the middle.
    const mayBeCut = isOver;
    if (event === 'task_id' && !mayBeCut) onTaskId(data);
    if (event === 'error') return { kind: 'crash', text: data, isFullyRead: await endsWithin(events.next()) };
    if (event !== 'chunk' && event !== 'end') continue;
    parts.push(data);
    if (event !== 'end') continue;
    const json = parts.join('');
    if (mayBeCut && tryParseJson(json) === undefined) throw new ConnectionFailure(CUT);
    return { ...toAnswer(json, type), isFullyRead: await endsWithin(events.next()) };
  }
}

const CUT = 'the stream ended before the result did';

function toAnswer(json: string, type: string): ToolOutcome {
  const value = tryParseJson(json);
  if (value === undefined) {
    throw new OrsProtocolError(`the result of the call is ${type} that is not JSON: ${truncate(json, 80)}`);
  }
  return parseToolOutcome(value);
}
