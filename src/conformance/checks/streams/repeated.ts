import type { Answer, Episode, Probe, Sample } from '../../probe/index.ts';
import { given } from '../../verdict.ts';

/** A call of which a repeat can be made. */
export interface FirstCall {
  readonly episode: Episode;
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly taskId: string;
  readonly answer: Answer;
}

/** Makes a call that ends with a result and names its task_id. */
export async function firstCall(
  episode: Episode,
  name: string,
  input: Record<string, unknown> = {},
): Promise<FirstCall> {
  const answer = await episode.call(name, input);
  const { taskId, resultText } = answer;
  given(taskId, 'the first call named no task_id');
  given(resultText !== undefined, `the first call got no result: ${answer.summary}`);
  return { episode, name, input, taskId, answer };
}

/** A first call of any tool. */
export async function sampleCall(probe: Probe): Promise<FirstCall> {
  const { tool, input }: Sample = await probe.sample();
  return await firstCall(await probe.episode(), tool.name, input);
}

/** The same request with its task_id; untestable if it gets no result, which may have been gone by then. */
export async function repeat(probe: Probe, first: FirstCall): Promise<Answer> {
  const { episode, name, input, taskId, answer } = first;
  const again = await episode.start(name, input, { taskId }).end();
  inTime(probe, again, answer.exchange.sentAt);
  return again;
}

/** No result is no fault where the call may have completed, at the earliest at that time, too long ago. */
export function inTime(probe: Probe, again: Answer, completedAt: number): void {
  const afterMs = Math.round((again.exchange.headAt ?? 0) - completedAt);
  given(
    again.resultText !== undefined || afterMs < probe.times.lingerMs,
    `the repeated request was answered only ${afterMs} ms after the first one`,
  );
}

/** Another id of the same form: its last characters are others. */
export function altered(taskId: string): string {
  const next = (character: string) => {
    const row = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'].find((each) =>
      each.includes(character),
    );
    return row ? (row[(row.indexOf(character) + 1) % row.length] ?? character) : character;
  };
  const end = taskId.slice(-4);
  const other = [...end].map(next).join('');
  return other === end ? `${taskId}0` : taskId.slice(0, -4) + other;
}
