import { isRecord } from '../../../core/index.ts';
import type { ProbeResponse, StreamEvent, StrictSseParser } from '../../probe/index.ts';
import { assume } from '../../verdict.ts';

/** The stream of a call that was answered with one. */
export function eventStream(response: ProbeResponse): StrictSseParser {
  assume(
    response.isSuccess && response.contentType === 'text/event-stream',
    `the call was answered without an event stream: ${response.summary}`,
  );
  return response.stream;
}

/** The text of a call's output; undefined if the answer holds no output. */
export function outputTextOrUndefined(response: ProbeResponse): string | undefined {
  const { result } = response;
  return isRecord(result) && result.ok === true && isRecord(result.output) ? response.outputText : undefined;
}

/** The events that carry a result: `chunk` and `end`. */
export const resultChunkEvents = (response: ProbeResponse): readonly StreamEvent[] =>
  response.events.filter(({ event }) => event === 'chunk' || event === 'end');

export const chunks = (response: ProbeResponse): readonly StreamEvent[] =>
  response.events.filter(({ event }) => event === 'chunk');

/** What a stream held, for a message: `task_id, chunk (4096), end (120)`. */
export function describeEvents(response: ProbeResponse): string {
  const shown = response.events
    .slice(0, 6)
    .map(({ event, data }) => (event === 'task_id' ? event : `${event} (${data.length})`));
  const rest = response.events.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ') || 'no event';
}
