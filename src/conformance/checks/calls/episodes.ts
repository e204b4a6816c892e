import { equalJson, previewJson } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { ProbeEpisode } from '../../probe/index.ts';
import {
  assertCallRejected,
  assertSuccess,
  assumeReadableResult,
  describeCallOutcome,
  requireText,
} from '../responses.ts';
import { lifecycle, newKey } from '../steps.ts';

const DELETE_WITHIN_MS = 10_000;

export const episodeCallChecks = defineChecks({ profile: 'full' }, [
  fixtureCheck({
    id: 'call/reward-null',
    title: 'A missing reward arrives as null, and a reward of 0 as 0',
    requirement: 'ORS-CALL-034',
    tools: ['reward', 'count'],
    calls: 3,
    async play(episode) {
      const missing = await rewardOf(episode, 'count');
      assertConforms(missing === null, `a tool without a reward returned ${previewJson(missing)}`);
      const none = await rewardOf(episode, 'reward', { value: null });
      assertConforms(none === null, `a tool with the reward null arrived with ${previewJson(none)}`);
      const zero = await rewardOf(episode, 'reward', { value: 0 });
      assertConforms(zero === 0, `a tool with the reward 0 arrived with ${previewJson(zero)}`);
    },
  }),
  fixtureCheck({
    id: 'type/reward-own',
    title: 'Each call returns its own reward',
    requirement: 'ORS-TYPE-040',
    tools: ['reward', 'count'],
    calls: 4,
    async play(episode) {
      for (const value of [0.5, 0.25, -1.5]) {
        const reward = await rewardOf(episode, 'reward', { value });
        assertConforms(reward === value, `a call that earned ${value} arrived with ${previewJson(reward)}`);
      }
      const after = await rewardOf(episode, 'count');
      const what = `a call without a reward arrived with ${previewJson(after)}`;
      assertConforms(after !== -1.5, `${what}, the reward of the previous call`);
    },
  }),
  fixtureCheck({
    id: 'type/finished',
    title: 'finished true of a tool arrives, so that an episode can end',
    requirement: 'ORS-TYPE-038',
    tools: ['finish'],
    async play(episode) {
      const { finished } = (await episode.call('finish')).output;
      assertConforms(finished === true, `the output of 'finish' arrived with finished ${previewJson(finished)}`);
    },
  }),
  fixtureCheck({
    id: 'call/after-finished',
    title: 'No tool runs after finished true',
    requirement: 'ORS-CALL-026',
    tools: ['finish', 'count'],
    calls: 2,
    async play(episode) {
      await callFinish(episode);
      assertCallRejected(await episode.call('count'), 'after finished true a call');
    },
  }),
  fixtureCheck({
    id: 'call/finished-keeps-session',
    title: 'After finished true, nothing is torn down before /delete, which still returns 200',
    requirement: 'ORS-CALL-021',
    tools: ['finish', 'lifecycle'],
    sessions: 2,
    calls: 2,
    async run(probe) {
      const key = newKey();
      const episode = await probe.episode({ task: { id: 'finished', key } });
      await callFinish(episode);
      const { teardowns } = await lifecycle(await probe.episode(), key);
      assertConforms(teardowns === 0, `after finished true, and before /delete, there were ${teardowns} teardowns`);
      assertSuccess(await episode.delete(), '/delete after finished true');
    },
  }),
  fixtureCheck({
    id: 'call/only-calls-change',
    title: 'Prompt, task_tools and ping do not change an episode',
    requirement: 'ORS-CALL-043',
    tools: ['count'],
    calls: 2,
    async play(episode) {
      assume((await episode.text('count', { by: 1 })) === '1', "'count' does not count");
      await episode.prompt();
      await episode.taskTools();
      await episode.ping();
      const next = requireText(await episode.call('count', { by: 1 }));
      const between = 'with a prompt, a task_tools and a ping in between';
      assertConforms(next === '2', `${between}, the count continued from 1 with ${next}`);
    },
  }),
  fixtureCheck({
    id: 'call/parallel-sessions',
    title: 'A call ends while a longer one runs in another session',
    requirement: 'ORS-CALL-018',
    tools: ['sleep', 'noargs'],
    sessions: 2,
    calls: 2,
    async run(probe) {
      const one = await probe.episode();
      const two = await probe.episode();
      const ms = Math.min(8_000, Math.floor(probe.timeoutMs * 0.7));
      const long = one.start('sleep', { ms });
      // Not every server sends task_id before the result.
      await probe.within(500, long.event('task_id'));
      const short = await two.call('noargs');
      const isConcurrent = !long.hasEnded;
      assume(short.failure === undefined, `the concurrent call returned ${describeCallOutcome(short)}`);
      if (!isConcurrent) assume((await long.end()).failure === undefined, 'the longer call did not last');
      assertConforms(isConcurrent, `a call in another session was blocked by a call of ${ms / 1_000} s`);
      long.abort();
    },
  }),
  fixtureCheck({
    id: 'call/parallel-calls',
    title: 'Concurrent calls in one session all get a result',
    requirement: 'ORS-CALL-019',
    tools: ['sleep', 'count'],
    calls: 4,
    async play(episode, probe) {
      const long = episode.start('sleep', { ms: 1_000 });
      await probe.within(200, long.event('task_id'));
      const short = Array.from({ length: 3 }, () => episode.start('count', { by: 1 }));
      const responses = await Promise.all([long, ...short].map((call) => call.end()));
      for (const response of responses) assumeReadableResult(response);
      const wrong = responses.find(({ result, failure }) => result === undefined || failure !== undefined);
      assertConforms(!wrong, `of four concurrent calls, one returned ${wrong && describeCallOutcome(wrong)}`);
    },
  }),
  fixtureCheck({
    id: 'call/disconnect',
    title: 'A call continues when its client disconnects',
    requirement: 'ORS-CALL-022',
    tools: ['sleep', 'runs'],
    calls: 6,
    async play(episode, probe) {
      const quick = await episode.call('sleep', { ms: 0 });
      assume(quick.taskId, 'the stream has no task_id');
      assume(requireText(quick), "'sleep' returns no text");
      const again = await episode.call('sleep', { ms: 0 }, { taskId: quick.taskId });
      const isFetched = equalJson(again.result, quick.result) && (await episode.runs('sleep')) === 1;
      assume(isFetched, `a result cannot be fetched again: ${describeCallOutcome(again)}`);
      const ms = 1_000;
      const startedAt = performance.now();
      const left = episode.start('sleep', { ms });
      const started = await left.event('task_id');
      assume(started, 'the stream has no task_id');
      left.abort();
      await probe.pause(ms / 4);
      const { data: taskId } = started;
      const response = await episode.call('sleep', { ms }, { taskId });
      const isKept = performance.now() - startedAt < ms + probe.times.lingerMs;
      const isSame = equalJson(response.result, quick.result);
      assume(isSame || isKept, 'the linger time was over');
      assertConforms(isSame, `a call whose client disconnected returned ${describeCallOutcome(response)}`);
      assertConforms((await episode.runs('sleep')) === 2, 'a call whose client disconnected ran again');
    },
  }),
  fixtureCheck({
    id: 'call/delete',
    title: '/delete ends the stream of a running call within ten seconds',
    requirement: 'ORS-CALL-025',
    tools: ['sleep'],
    async play(episode, probe) {
      const timeoutMs = 3 * DELETE_WITHIN_MS;
      const call = episode.start('sleep', { ms: timeoutMs }, { timeoutMs });
      await probe.within(1_000, call.event('task_id'));
      assume(!call.hasEnded, 'the call did not last');
      // A server may delay its response until the call has ended.
      const deleted = episode.delete();
      await probe.within(DELETE_WITHIN_MS, call.end());
      const response = !call.hasEnded && (await probe.within(0, deleted)) ? await deleted : undefined;
      assume(!response || response.isSuccess, `/delete returned ${response?.summary}`);
      assertConforms(call.hasEnded, "ten seconds after /delete the stream of the session's call is still open");
    },
  }),
]);

const rewardOf = async (episode: ProbeEpisode, tool: string, input: Record<string, unknown> = {}): Promise<unknown> =>
  (await episode.call(tool, input)).output.reward ?? null;

async function callFinish(episode: ProbeEpisode): Promise<void> {
  const { output } = await episode.call('finish');
  assume(output.finished === true, `'finish' returned finished ${previewJson(output.finished)}`);
}
