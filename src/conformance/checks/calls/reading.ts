import { isRecord } from '../../../core/index.ts';
import type { Answer, Probe } from '../../probe/index.ts';
import { given } from '../../verdict.ts';
import { outline } from '../streams/stream-answers.ts';

/** The beginning of a reason. */
export const NO_GOOD_INPUT = 'no call with a made input succeeded';
/** The same, where no tool has even said that it failed. */
export const NO_RESULT = `${NO_GOOD_INPUT}, each was an error event`;

/** The output of the shared call; untestable if it gave none. */
export async function sharedOutput(probe: Probe): Promise<Record<string, unknown>> {
  const answer = await probe.sharedCall();
  givenGoodInput(answer);
  return answer.output;
}

/** Where a tool takes no input that is made for it, somebody has to name one. */
export function givenGoodInput({ failure, streamError }: Answer): void {
  const what = streamError === undefined ? NO_GOOD_INPUT : NO_RESULT;
  given(failure === undefined, `${what}; give one by --input <tool>=<json>. The first answer: ${failure}`);
}

/** Whether a stream came to its end. */
export const hasEnded = ({ events }: Answer): boolean =>
  events.some(({ event }) => event === 'end' || event === 'error');

/** How an answer broke off, for a message. */
export function broken(answer: Answer): string {
  const { failure = 'it was closed' } = answer.exchange;
  const advice = failure.startsWith('no end within')
    ? '; a tool that takes longer needs --timeout, or another input by --input'
    : '';
  return `after ${outline(answer)}, ${failure}${advice}`;
}

/** The blocks of an output that are objects. */
export function blocksOf({ blocks }: Record<string, unknown>): Record<string, unknown>[] {
  given(Array.isArray(blocks), 'the output has no array of blocks');
  return blocks.filter(isRecord);
}

/** The text of a call that gives one; untestable if there is none. */
export function textOf(answer: Answer): string {
  const texts = blocksOf(answer.output).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  given(texts.length > 0, 'the output has no text');
  return texts.join('');
}

/** The result of a call as an object; untestable if it is none. */
export function resultOf(answer: Answer): Record<string, unknown> {
  const { result } = answer;
  given(isRecord(result), `the call gave no result: ${answer.summary}`);
  return result;
}

/** Whether a result says that the tool failed. */
export const isFailure = (result: unknown): result is { readonly ok: false; readonly error?: unknown } =>
  isRecord(result) && result.ok === false;

/** Whether a call was refused in one of the standard's ways: by a 4xx status, by ok false or by an error event. */
export function isRefused(answer: Answer): boolean {
  givenReadable(answer);
  return answer.status < 500 && answer.failure !== undefined;
}

/** Events under another media type are a fault of their own. */
export function givenStream({ events, isSuccess, text, contentType }: Answer): void {
  const isHidden = isSuccess && events.length === 0 && /^(event|data) ?:/m.test(text);
  given(!isHidden, `the answer holds events, but its Content-Type is '${contentType}'`);
}

/** So are results of another form. */
export function givenReadable(answer: Answer): void {
  givenStream(answer);
  const { resultText, result } = answer;
  const isResult = isRecord(result) && typeof result.ok === 'boolean';
  given(resultText === undefined || isResult, `the result cannot be read: ${resultText}`);
}

/** What came of a call, for a message. */
export function outcome(answer: Answer): string {
  const { streamError } = answer;
  return streamError === undefined ? answer.summary : `an error event: ${streamError}`;
}
