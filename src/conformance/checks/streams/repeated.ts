import type { Probe, ProbeEpisode, ProbeResponse, SampleCall } from '../../probe/index.ts';
import { assume } from '../../verdict.ts';

/** A call of which a repeat can be made. */
export interface OriginalCall {
  readonly episode: ProbeEpisode;
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly taskId: string;
  readonly answer: ProbeResponse;
}

/** Makes a call that ends with a result and names its task_id. */
export async function makeOriginalCall(
  episode: ProbeEpisode,
  name: string,
  input: Record<string, unknown> = {},
): Promise<OriginalCall> {
  const response = await episode.call(name, input);
  const { taskId, resultText } = response;
  assume(taskId, 'the first call named no task_id');
  assume(resultText !== undefined, `the first call got no result: ${response.summary}`);
  return { episode, name, input, taskId, answer: response };
}

/** A first call of any tool. */
export async function makeSampleCall(probe: Probe): Promise<OriginalCall> {
  const { tool, input }: SampleCall = await probe.sample();
  return await makeOriginalCall(await probe.episode(), tool.name, input);
}

/** The same request with its task_id; untestable if it gets no result, which may have been gone by then. */
export async function repeatCall(probe: Probe, first: OriginalCall): Promise<ProbeResponse> {
  const { episode, name, input, taskId, answer: response } = first;
  const again = await episode.start(name, input, { taskId }).end();
  assumeWithinLinger(probe, again, response.exchange.sentAt);
  return again;
}

/** No result is no fault where the call may have completed, at the earliest at that time, too long ago. */
export function assumeWithinLinger(probe: Probe, again: ProbeResponse, completedAt: number): void {
  const afterMs = Math.round((again.exchange.headAt ?? 0) - completedAt);
  assume(
    again.resultText !== undefined || afterMs < probe.times.lingerMs,
    `the repeated request was answered only ${afterMs} ms after the first one`,
  );
}

/** Another id of the same form: its last characters are others. */
export function alterTaskId(taskId: string): string {
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
