import type { Check } from '../../check.ts';
import type { Answer, Probe } from '../../probe/index.ts';
import { applies, ensure, given } from '../../verdict.ts';
import { altered, firstCall, sampleCall } from './repeated.ts';
import { outline } from './stream-answers.ts';

/** Ids that the server did not issue, or no ids. */
export const resumeIdChecks: readonly Check[] = [
  {
    id: 'resume/altered-id',
    title: 'An issued task_id with its last characters altered is answered with an error, and no tool runs',
    requirement: 'ORS-RECN-005',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const { episode, taskId } = await firstCall(await probe.episode(), 'count');
      const again = await episode.start('count', {}, { taskId: altered(taskId) }).end();
      ensure(again.failure !== undefined, `${altered(taskId)}, which was never issued, got ${again.summary}`);
      const next = await episode.text('count');
      ensure(next === '2', `the counter goes to ${next}: an id that was never issued ran the tool`);
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
      const { episode, name, input, taskId } = await sampleCall(probe);
      const again = await episode.call(name, input, { taskId: altered(taskId) });
      applies(again.streamError !== undefined, `an unknown task_id got no error event but ${again.summary}`);
      ensure(again.events[0]?.event === 'task_id', `an unknown task_id got ${outline(again)}`);
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
      const answer = await (await probe.episode()).call(tool.name, input, { taskId: chosen });
      await givenResults(probe, answer);
      ensure(answer.resultText !== undefined, `a first call with the task_id ${chosen} got ${answer.summary}`);
      ensure(answer.taskId === chosen, `a first call with the task_id ${chosen} got the task_id ${answer.taskId}`);
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
      const answer = await (await probe.episode()).call(tool.name, input, { taskId: null });
      await givenResults(probe, answer);
      ensure(answer.resultText !== undefined, `a call with task_id null got ${answer.summary}`);
      given(answer.taskId, 'the stream names no task_id');
      ensure(answer.taskId !== 'null' && answer.taskId !== 'None', `the task_id of the stream is ${answer.taskId}`);
    },
  },
];

/** Where no call gets a result, it is not for its task_id that this one gets none. */
async function givenResults(probe: Probe, { resultText }: Answer): Promise<void> {
  if (resultText === undefined) given((await probe.sharedCall()).resultText !== undefined, 'no call gets a result');
}
