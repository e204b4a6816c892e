import { isRecord } from '../../../core/index.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assume } from '../../verdict.ts';
import { describeEvents } from '../streams/stream-answers.ts';

/** The beginning of a reason. */
export const NO_GOOD_INPUT = 'no call with a made input succeeded';
/** The same, where no tool has even said that it failed. */
export const NO_RESULT = `${NO_GOOD_INPUT}, each was an error event`;

/** The output of the shared call; untestable if it gave none. */
export async function sharedOutput(probe: Probe): Promise<Record<string, unknown>> {
  const response = await probe.sharedCall();
  assumeAcceptedInput(response);
  return response.output;
}

/** Where a tool takes no input that is made for it, somebody has to name one. */
export function assumeAcceptedInput({ failure, streamError }: ProbeResponse): void {
  const what = streamError === undefined ? NO_GOOD_INPUT : NO_RESULT;
  assume(failure === undefined, `${what}; give one by --input <tool>=<json>. The first answer: ${failure}`);
}

/** Whether a stream came to its end. */
export const streamHasEnded = ({ events }: ProbeResponse): boolean =>
  events.some(({ event }) => event === 'end' || event === 'error');

/** How an answer broke off, for a message. */
export function describeBrokenStream(response: ProbeResponse): string {
  const { failure = 'it was closed' } = response.exchange;
  const advice = failure.startsWith('no end within')
    ? '; a tool that takes longer needs --timeout, or another input by --input'
    : '';
  return `after ${describeEvents(response)}, ${failure}${advice}`;
}

/** The blocks of an output that are objects. */
export function outputBlocks({ blocks }: Record<string, unknown>): Record<string, unknown>[] {
  assume(Array.isArray(blocks), 'the output has no array of blocks');
  return blocks.filter(isRecord);
}

/** The text of a call that gives one; untestable if there is none. */
export function outputText(response: ProbeResponse): string {
  const texts = outputBlocks(response.output).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  assume(texts.length > 0, 'the output has no text');
  return texts.join('');
}

/** The result of a call as an object; untestable if it is none. */
export function callResult(response: ProbeResponse): Record<string, unknown> {
  const { result } = response;
  assume(isRecord(result), `the call gave no result: ${response.summary}`);
  return result;
}

/** Whether a result says that the tool failed. */
export const isFailure = (result: unknown): result is { readonly ok: false; readonly error?: unknown } =>
  isRecord(result) && result.ok === false;

/** Whether a call was refused in one of the standard's ways: by a 4xx status, by ok false or by an error event. */
export function isRejected(response: ProbeResponse): boolean {
  assumeReadableResult(response);
  return response.status < 500 && response.failure !== undefined;
}

/** Events under another media type are a fault of their own. */
export function assumeEventStream({ events, isSuccess, text, contentType }: ProbeResponse): void {
  const isHidden = isSuccess && events.length === 0 && /^(event|data) ?:/m.test(text);
  assume(!isHidden, `the answer holds events, but its Content-Type is '${contentType}'`);
}

/** So are results of another form. */
export function assumeReadableResult(response: ProbeResponse): void {
  assumeEventStream(response);
  const { resultText, result } = response;
  const isResult = isRecord(result) && typeof result.ok === 'boolean';
  assume(resultText === undefined || isResult, `the result cannot be read: ${resultText}`);
}

/** What came of a call, for a message. */
export function describeCallOutcome(response: ProbeResponse): string {
  const { streamError } = response;
  return streamError === undefined ? response.summary : `an error event: ${streamError}`;
}
