import type { Check } from '../../check.ts';
import { ensure, given } from '../../verdict.ts';

export const resumeChecks: readonly Check[] = [
  {
    id: 'resume/replay',
    title: 'A call repeated with its task_id gives the same result, and the tool has run once',
    requirement: 'ORS-RECN-001',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const episode = await probe.episode();
      const first = await episode.call('count');
      given(first.taskId, 'the first call named no task_id');
      const again = await episode.call('count', {}, { taskId: first.taskId });
      ensure(again.resultText === first.resultText, `the repeated call gave ${again.summary}`);
      ensure((await episode.text('count')) === '2', 'the repeated call ran the tool again');
    },
  },
];
