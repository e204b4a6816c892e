import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';
import { alterTaskId, makeOriginalCall, makeSampleCall } from './repeated.ts';
import { describeEvents } from './stream-answers.ts';

/** Ids that the server did not issue, or no ids. */
export const resumeIdChecks: readonly ConformanceCheck[] = [
  {
    id: 'resume/altered-id',
    title: 'An issued task_id with its last characters altered is answered with an error, and no tool runs',
    requirement: 'ORS-RECN-005',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const { episode, taskId } = await makeOriginalCall(await probe.episode(), 'count');
      const again = await episode.start('count', {}, { taskId: alterTaskId(taskId) }).end();
      assertConforms(
        again.failure !== undefined,
        `${alterTaskId(taskId)}, which was never issued, got ${again.summary}`,
      );
      const next = await episode.text('count');
      assertConforms(next === '2', `the counter goes to ${next}: an id that was never issued ran the tool`);
    },
  },
  {
    id: 'resume/task-id-before-unknown',
    title: 'The error event for an unknown task_id comes after task_id',
    requirement: 'ORS-RECN-006',
    profile: 'full',
    needs: ['call'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const { episode, name, input, taskId } = await makeSampleCall(probe);
      const again = await episode.call(name, input, { taskId: alterTaskId(taskId) });
      assumeApplicable(again.streamError !== undefined, `an unknown task_id got no error event but ${again.summary}`);
      assertConforms(again.events[0]?.event === 'task_id', `an unknown task_id got ${describeEvents(again)}`);
    },
  },
  {
    id: 'resume/chosen-id',
    title: 'A task_id that the client chose is accepted on its first call',
    requirement: 'ORS-RECN-007',
    profile: 'full',
    needs: ['call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { tool, input } = await probe.sample();
      const chosen = `call-${Math.floor(probe.random() * 1e9)}`;
      const response = await (await probe.episode()).call(tool.name, input, { taskId: chosen });
      await givenResults(probe, response);
      assertConforms(
        response.resultText !== undefined,
        `a first call with the task_id ${chosen} got ${response.summary}`,
      );
      assertConforms(
        response.taskId === chosen,
        `a first call with the task_id ${chosen} got the task_id ${response.taskId}`,
      );
    },
  },
  {
    id: 'resume/null-id',
    title: 'A call whose task_id is null runs like one without it',
    requirement: 'ORS-RECN-011',
    profile: 'full',
    needs: ['call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { tool, input } = await probe.sample();
      const response = await (await probe.episode()).call(tool.name, input, { taskId: null });
      await givenResults(probe, response);
      assertConforms(response.resultText !== undefined, `a call with task_id null got ${response.summary}`);
      assume(response.taskId, 'the stream names no task_id');
      assertConforms(
        response.taskId !== 'null' && response.taskId !== 'None',
        `the task_id of the stream is ${response.taskId}`,
      );
    },
  },
];

/** Where no call gets a result, it is not for its task_id that this one gets none. */
async function givenResults(probe: Probe, { resultText }: ProbeResponse): Promise<void> {
  if (resultText === undefined) assume((await probe.sharedCall()).resultText !== undefined, 'no call gets a result');
}
