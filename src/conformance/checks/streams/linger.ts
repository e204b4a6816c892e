import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { makeOriginalCall, repeatCall } from './repeated.ts';
import { outputTextOrUndefined } from './stream-answers.ts';

/** How long a result is kept. */
export const lingerChecks: readonly ConformanceCheck[] = [
  {
    id: 'resume/near-the-end',
    title: 'A result can still be fetched ten seconds before it expires',
    requirement: 'ORS-RECN-003',
    profile: 'soak',
    needs: ['fixture:echo'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const first = await makeOriginalCall(await probe.episode(), 'echo', { text: 'kept' });
      await probe.pause(shortlyBefore(probe.times.lingerMs));
      const again = await repeatCall(probe, first);
      const after = `${shortlyBefore(probe.times.lingerMs) / 1_000} s after completion`;
      assertConforms(
        outputTextOrUndefined(again) === 'kept',
        `${after} the task_id was answered with ${again.summary}`,
      );
    },
  },
  {
    id: 'resume/after-the-end',
    title: 'An expired task_id is answered with an error, and the tool does not run again',
    requirement: 'ORS-RECN-004',
    profile: 'soak',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const { episode, taskId } = await makeOriginalCall(await probe.episode(), 'count');
      const waitMs = (probe.times.lingerMs * 7) / 6 + 2_000;
      for (let part = 0; part < 4; part++) {
        await probe.pause(waitMs / 4);
        assume((await episode.ping()).isSuccess, 'the session is gone');
      }
      const again = await episode.start('count', {}, { taskId }).end();
      const after = `${Math.round(waitMs / 1_000)} s after completion`;
      assertConforms(again.failure !== undefined, `${after} the task_id was still answered with ${again.summary}`);
      const next = await episode.text('count');
      assertConforms(next === '2', `${after} the task_id ran the tool again: the counter goes to ${next}`);
    },
  },
];

/** Ten seconds before the end, or half of the time where that is short. */
const shortlyBefore = (lingerMs: number) => (lingerMs > 20_000 ? lingerMs - 10_000 : lingerMs / 2);
