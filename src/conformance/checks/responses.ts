import { isRecord } from '../../core/index.ts';
import { assertConforms, assume } from '../assertions.ts';
import type { Probe, ProbeResponse, StreamEvent, StrictSseParser } from '../probe/index.ts';

type StatusSummary = Pick<ProbeResponse, 'status' | 'summary'>;

/** Asserts the status of the response to `what`. @throws ViolationError */
export function assertStatus({ status, summary }: StatusSummary, expected: number, what: string): void {
  assertConforms(status === expected, `${what} returned ${summary}`);
}

/** Asserts that the response to `what` is a success. @throws ViolationError */
export function assertSuccess({ isSuccess, summary }: ProbeResponse, what: string): void {
  assertConforms(isSuccess, `${what} returned ${summary}`);
}

export const isClientError = ({ status }: ProbeResponse): boolean => status >= 400 && status < 500;

/** Asserts that `what` was rejected with a 4xx status. @throws ViolationError */
export function assertClientError(response: ProbeResponse, what: string): void {
  assertConforms(isClientError(response), `${what} returned ${response.summary}`);
}

/** Start of the message if no call was accepted. */
export const NO_GOOD_INPUT = 'no call with a generated input succeeded';
/** Start of the message if no call has returned a result, not even one with `ok: false`. */
export const NO_RESULT = `${NO_GOOD_INPUT}, and each ended with an error event`;

/** Returns the output of the shared call. @throws UntestableError if the call did not succeed */
export async function sharedOutput(probe: Probe): Promise<Record<string, unknown>> {
  const response = await probe.sharedCall();
  assumeAcceptedInput(response);
  return response.output;
}

/** Assumes that a call with a generated input succeeded; if not, the user has to pass an input. */
export function assumeAcceptedInput({ failure, streamError }: ProbeResponse): void {
  const what = streamError === undefined ? NO_GOOD_INPUT : NO_RESULT;
  assume(failure === undefined, `${what}; pass an input with --input <tool>=<json>. The first failure: ${failure}`);
}

/** Returns whether a stream has its terminal event. */
export const streamHasEnded = ({ events }: ProbeResponse): boolean =>
  events.some(({ event }) => event === 'end' || event === 'error');

/** Describes how a response broke off. */
export function describeBrokenStream(response: ProbeResponse): string {
  const { failure = 'it was closed' } = response.exchange;
  const advice = failure.startsWith('no end within')
    ? '; a tool that takes longer needs --timeout, or another input by --input'
    : '';
  return `after ${describeEvents(response)}, ${failure}${advice}`;
}

/** Returns the blocks of an output that are objects. */
export function outputBlocks({ blocks }: Record<string, unknown>): Record<string, unknown>[] {
  assume(Array.isArray(blocks), 'the output has no array of blocks');
  return blocks.filter(isRecord);
}

/** Returns the text of a call's output. @throws UntestableError if it has no text block */
export function requireText(response: ProbeResponse): string {
  const texts = outputBlocks(response.output).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  assume(texts.length > 0, 'the output has no text');
  return texts.join('');
}

/** Returns the result of a call as an object. @throws UntestableError if it is not an object */
export function callResult(response: ProbeResponse): Record<string, unknown> {
  const { result } = response;
  assume(isRecord(result), `the call returned no result: ${response.summary}`);
  return result;
}

/** Returns whether a result has `ok: false`. */
export const isFailure = (result: unknown): result is { readonly ok: false; readonly error?: unknown } =>
  isRecord(result) && result.ok === false;

/** Returns whether a call was rejected in a documented way: by a 4xx status, by ok false or by an error event. */
export function isRejected(response: ProbeResponse): boolean {
  assumeReadableResult(response);
  return response.status < 500 && response.failure !== undefined;
}

/** Assumes that events come as text/event-stream; the media type has its own check. */
export function assumeEventStream({ events, isSuccess, text, contentType }: ProbeResponse): void {
  const isHidden = isSuccess && events.length === 0 && /^(event|data) ?:/m.test(text);
  assume(!isHidden, `the response contains events, but its Content-Type is '${contentType}'`);
}

/** Assumes that the result has its documented form, which has its own check. */
export function assumeReadableResult(response: ProbeResponse): void {
  assumeEventStream(response);
  const { resultText, result } = response;
  const isResult = isRecord(result) && typeof result.ok === 'boolean';
  assume(resultText === undefined || isResult, `the result is not valid: ${resultText}`);
}

/** Describes the outcome of a call. */
export function describeCallOutcome(response: ProbeResponse): string {
  const { streamError } = response;
  return streamError === undefined ? response.summary : `an error event: ${streamError}`;
}

/** Asserts that the call `what` succeeded. @throws ViolationError */
export function assertCallSuccess(response: ProbeResponse, what: string): void {
  assertConforms(response.failure === undefined, `${what} returned ${describeCallOutcome(response)}`);
}

/** Asserts that the call `what` was rejected in a documented way. @throws ViolationError */
export function assertCallRejected(response: ProbeResponse, what: string): void {
  assertConforms(isRejected(response), `${what} returned ${describeCallOutcome(response)}`);
}

/** Image of the fixture's tool `image`. Source: docs/development/conformance-fixture.md, "Tools". */
export const ONE_PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';

export const IMAGE_METADATA = {
  unicode: 'snow \u2603 and \u{1F600}',
  deep: { list: [1, 2.5, null, true, { empty: [] }] },
};

/** Returns the event stream of a call. @throws UntestableError if the response is not a stream */
export function eventStream(response: ProbeResponse): StrictSseParser {
  const isStream = response.isSuccess && response.contentType === 'text/event-stream';
  assume(isStream, `the call returned no event stream: ${response.summary}`);
  return response.stream;
}

/** Returns the events that carry a result: `chunk` and `end`. */
export const resultChunkEvents = (response: ProbeResponse): readonly StreamEvent[] =>
  response.events.filter(({ event }) => event === 'chunk' || event === 'end');

export const chunks = (response: ProbeResponse): readonly StreamEvent[] =>
  response.events.filter(({ event }) => event === 'chunk');

/** Lists the events of a stream: `task_id, chunk (4096), end (120)`. */
export function describeEvents(response: ProbeResponse): string {
  const shown = response.events
    .slice(0, 6)
    .map(({ event, data }) => (event === 'task_id' ? event : `${event} (${data.length})`));
  const rest = response.events.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ') || 'no event';
}

/** Texts that the fixture's tool `big` repeats. Source: docs/development/conformance-fixture.md, "Tools". */
const UNITS = {
  ascii: 'abcdefghijklmnopqrstuvwxyz0123456789',
  spaces: ' ',
  prose: 'The quick brown fox jumps over the lazy dog. ',
  emoji: '\u{1f600}',
  mixed: 'a\u00e9\u2603\u{1f600}\u00a0\u3000 \n',
} as const;

export type TextPattern = keyof typeof UNITS;

/** Returns the text that `big` returns, with this number of code points. */
export function bigText(characters: number, pattern: TextPattern): string {
  const unit = Array.from(UNITS[pattern]);
  const rest = unit.slice(0, characters % unit.length).join('');
  return UNITS[pattern].repeat(Math.floor(characters / unit.length)) + rest;
}

/** Returns the number of code points of a text. */
export const codePoints = (text: string): number => [...text].length;

/** Describes the first difference between a text and the expected one. */
export function describeTextDifference(text: string, expected: string): string {
  let at = 0;
  while (at < text.length && text[at] === expected[at]) at++;
  const actual = JSON.stringify(text.slice(at, at + 20));
  return `${codePoints(text)} characters instead of ${codePoints(expected)}, different from position ${at}: ${actual} instead of ${JSON.stringify(expected.slice(at, at + 20))}`;
}
