import { type Answer, isRecord, type Probe } from '../../probe/index.ts';
import { given } from '../../verdict.ts';

/** The output of the shared call; untestable if it gave none. */
export async function sharedOutput(probe: Probe): Promise<Record<string, unknown>> {
  return (await probe.sharedCall()).output;
}

/** The blocks of an output that are objects. */
export function blocksOf({ blocks }: Record<string, unknown>): Record<string, unknown>[] {
  given(Array.isArray(blocks), 'the output has no array of blocks');
  return blocks.filter(isRecord);
}

/** The result of a call as an object; untestable if it is none. */
export function resultOf(answer: Answer): Record<string, unknown> {
  const { result } = answer;
  given(isRecord(result), `the call gave no result: ${answer.summary}`);
  return result;
}

/** Whether a call was refused in one of the standard's ways: by a 4xx status, by ok false or by an error event. */
export const isRefused = (answer: Answer): boolean => answer.status < 500 && answer.failure !== undefined;

/** What came of a call, for a message. */
export function outcome(answer: Answer): string {
  const { streamError } = answer;
  return streamError === undefined ? answer.summary : `an error event: ${streamError}`;
}
