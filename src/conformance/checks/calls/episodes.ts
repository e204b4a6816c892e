import { randomUUID } from 'node:crypto';
import { previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeEpisode } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { describeCallOutcome, isRejected, outputText } from './reading.ts';

const rewardOf = async (episode: ProbeEpisode, tool: string, input: Record<string, unknown> = {}): Promise<unknown> =>
  (await episode.call(tool, input)).output.reward ?? null;

async function teardowns(probe: Probe, key: string): Promise<number> {
  const { metadata } = (await (await probe.episode()).call('lifecycle', { key })).output;
  const count = (metadata as { teardowns?: unknown } | null | undefined)?.teardowns;
  assume(typeof count === 'number', `'lifecycle' counts no teardowns: its metadata is ${previewJson(metadata)}`);
  return count;
}

/** Rewards, and the end of an episode. */
export const episodeEndChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/reward-null',
    title: 'No reward arrives as null, and a reward of 0',
    requirement: 'ORS-CALL-034',
    profile: 'full',
    needs: ['fixture:reward', 'fixture:count'],
    cost: { sessions: 1, calls: 3 },
    async run(probe) {
      const episode = await probe.episode();
      const unsaid = await rewardOf(episode, 'count');
      assertConforms(unsaid === null, `a tool that says nothing of a reward gave ${previewJson(unsaid)}`);
      const none = await rewardOf(episode, 'reward', { value: null });
      assertConforms(none === null, `a tool that gave the reward null arrived with ${previewJson(none)}`);
      const zero = await rewardOf(episode, 'reward', { value: 0 });
      assertConforms(zero === 0, `a tool that gave the reward 0 arrived with ${previewJson(zero)}`);
    },
  },
  {
    id: 'type/reward-own',
    title: 'Each call returns its own reward',
    requirement: 'ORS-TYPE-040',
    profile: 'full',
    needs: ['fixture:reward', 'fixture:count'],
    cost: { sessions: 1, calls: 4 },
    async run(probe) {
      const episode = await probe.episode();
      for (const value of [0.5, 0.25, -1.5]) {
        const reward = await rewardOf(episode, 'reward', { value });
        assertConforms(reward === value, `a call that earned ${value} arrived with ${previewJson(reward)}`);
      }
      const after = await rewardOf(episode, 'count');
      assertConforms(
        after !== -1.5,
        `a call that earned nothing arrived with ${previewJson(after)}, which the call before it earned`,
      );
    },
  },
  {
    id: 'type/finished',
    title: 'The finished true of a tool arrives, so that an episode can end',
    requirement: 'ORS-TYPE-038',
    profile: 'full',
    needs: ['fixture:finish'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { finished } = (await (await probe.episode()).call('finish')).output;
      assertConforms(finished === true, `the output of 'finish' arrived with finished ${previewJson(finished)}`);
    },
  },
  {
    id: 'call/after-finished',
    title: 'No tool runs after finished true',
    requirement: 'ORS-CALL-026',
    profile: 'full',
    needs: ['fixture:finish', 'fixture:count'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      await givenFinished(episode);
      const response = await episode.call('count');
      assertConforms(
        isRejected(response),
        `after finished true a call was answered with ${describeCallOutcome(response)}`,
      );
    },
  },
  {
    id: 'call/finished-keeps-session',
    title: 'After finished true nothing is torn down before /delete, which still answers 200',
    requirement: 'ORS-CALL-021',
    profile: 'full',
    needs: ['fixture:finish', 'fixture:lifecycle'],
    cost: { sessions: 2, calls: 2 },
    async run(probe) {
      const key = randomUUID();
      const episode = await probe.episode({ task: { id: 'finished', key } });
      await givenFinished(episode);
      const count = await teardowns(probe, key);
      assertConforms(
        count === 0,
        `after finished true, and before /delete, there were ${previewJson(count)} teardowns`,
      );
      const response = await episode.delete();
      assertConforms(response.isSuccess, `/delete after finished true was answered with ${response.summary}`);
    },
  },
  {
    id: 'call/only-calls-change',
    title: 'Prompt, task_tools and ping do not change an episode',
    requirement: 'ORS-CALL-043',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const episode = await probe.episode();
      assume((await episode.text('count', { by: 1 })) === '1', "'count' does not count");
      await episode.prompt();
      await episode.taskTools();
      await episode.ping();
      const next = outputText(await episode.call('count', { by: 1 }));
      assertConforms(
        next === '2',
        `with a prompt, a task_tools and a ping between, the count of 1 went on with ${next}`,
      );
    },
  },
];

async function givenFinished(episode: ProbeEpisode): Promise<void> {
  const { output } = await episode.call('finish');
  assume(output.finished === true, `'finish' gave finished ${previewJson(output.finished)}`);
}
