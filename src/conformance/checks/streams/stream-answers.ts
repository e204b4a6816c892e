import { isRecord } from '../../../core/index.ts';
import type { Answer, EventReader, StreamEvent } from '../../probe/index.ts';
import { given } from '../../verdict.ts';

/** The stream of a call that was answered with one. */
export function streamOf(answer: Answer): EventReader {
  given(
    answer.isSuccess && answer.contentType === 'text/event-stream',
    `the call was answered without an event stream: ${answer.summary}`,
  );
  return answer.stream;
}

/** The text of a call's output; undefined if the answer holds no output. */
export function textOf(answer: Answer): string | undefined {
  const { result } = answer;
  return isRecord(result) && result.ok === true && isRecord(result.output) ? answer.outputText : undefined;
}

/** The events that carry a result: `chunk` and `end`. */
export const parts = (answer: Answer): readonly StreamEvent[] =>
  answer.events.filter(({ event }) => event === 'chunk' || event === 'end');

export const chunks = (answer: Answer): readonly StreamEvent[] =>
  answer.events.filter(({ event }) => event === 'chunk');

/** What a stream held, for a message: `task_id, chunk (4096), end (120)`. */
export function outline(answer: Answer): string {
  const shown = answer.events
    .slice(0, 6)
    .map(({ event, data }) => (event === 'task_id' ? event : `${event} (${data.length})`));
  const rest = answer.events.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ') || 'no event';
}
