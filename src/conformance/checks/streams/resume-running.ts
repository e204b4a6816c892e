import type { ConformanceCheck } from '../../check.ts';
import type { ProbeEpisode } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { assumeWithinLinger } from './repeated.ts';
import { describeEvents, outputTextOrUndefined } from './stream-answers.ts';

const JOIN = { ms: 1_000 };
const DROP = { ms: 800 };

/** Calls that still run while they are asked for again. */
export const resumeRunningChecks: readonly ConformanceCheck[] = [
  {
    id: 'resume/join-running',
    title: 'A request with the task_id of a running call whose connection dropped joins it, under the same task_id',
    requirement: 'ORS-RECN-002',
    profile: 'full',
    needs: ['fixture:sleep', 'fixture:runs'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const episode = await probe.episode();
      const { taskId, sentAt } = await dropped(episode, JOIN);
      const again = await episode.start('sleep', JOIN, { taskId }).end();
      assumeWithinLinger(probe, again, sentAt + JOIN.ms);
      const [event] = again.events;
      assertConforms(
        event?.event === 'task_id' && event.data === taskId,
        `joining ${taskId} was answered with ${event ? `${event.event} ${event.data}` : again.summary}`,
      );
      assertConforms(outputTextOrUndefined(again) === 'slept', `joining a running call gave ${describeEvents(again)}`);
      const runs = await episode.runs('sleep');
      assertConforms(runs === 1, `a call that was joined ran ${runs} times`);
    },
  },
  {
    id: 'resume/dropped-connection',
    title: 'A call whose connection dropped continues, and its result can be fetched afterwards',
    requirement: 'ORS-RECN-013',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      const { taskId, sentAt } = await dropped(episode, DROP);
      await probe.pause(2 * DROP.ms);
      const again = await episode.start('sleep', DROP, { taskId }).end();
      assumeWithinLinger(probe, again, sentAt + DROP.ms);
      assertConforms(
        outputTextOrUndefined(again) === 'slept',
        `the result of a call whose connection dropped is ${again.summary}`,
      );
    },
  },
  {
    id: 'resume/two-readers',
    title: 'Two streams that wait for one call both get its result',
    requirement: 'ORS-RECN-010',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      const first = episode.start('sleep', JOIN);
      const taskId = (await first.event('task_id'))?.data;
      assume(taskId && !first.hasEnded, 'no call could be seen while it runs');
      const second = episode.start('sleep', JOIN, { taskId });
      assumeWithinLinger(probe, await second.end(), first.exchange.sentAt + JOIN.ms);
      for (const [which, response] of [
        ['first', await first.end()],
        ['second', await second.end()],
      ] as const) {
        assertConforms(
          outputTextOrUndefined(response) === 'slept',
          `the ${which} of two readers got ${response.summary}`,
        );
      }
    },
  },
];

/** Starts `sleep`, and breaks the connection as soon as the task_id is known. */
async function dropped(episode: ProbeEpisode, input: { readonly ms: number }) {
  using call = episode.start('sleep', input);
  const event = await call.event('task_id');
  assume(event && !call.hasEnded, 'no call could be seen while it runs');
  return { taskId: event.data, sentAt: call.exchange.sentAt };
}
