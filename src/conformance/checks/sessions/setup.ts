import { equalJson, isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { countTeardowns, lifecycle, MAX_TEARDOWN_CALLS, newKey, postCreate } from './steps.ts';

/** Far longer than an answer to `/create` takes. */
const LONG_SETUP_MS = 8_000;
/** Longer than an answer takes that does not wait for it. */
const SETUP_MS = 4_000;
/** By how much two clocks may differ over that time. */
const CLOCK_MS = 20;

const failsWith = ({ status, detail }: ProbeResponse) => status >= 500 && detail !== '';

export const setupChecks: readonly ConformanceCheck[] = [
  {
    id: 'session/create-before-setup',
    title: 'POST /create answers before setup has ended',
    requirement: 'ORS-SESS-048',
    profile: 'full',
    needs: ['fixture'],
    cost: { sessions: 1 },
    async run(probe) {
      const body = await probe.createBody({ task: { setup_ms: LONG_SETUP_MS } });
      const { exchange } = (await postCreate(probe, await probe.createSessionId(), body)).requireSuccess('/create');
      const ms = (exchange.endedAt ?? Infinity) - exchange.sentAt;
      assertConforms(ms < LONG_SETUP_MS, `/create answered after ${Math.round(ms)} ms; setup took ${LONG_SETUP_MS} ms`);
    },
  },
  {
    id: 'session/setup-is-awaited',
    title: 'Prompt, task_tools and call that arrive while setup runs wait for it and then succeed',
    requirement: 'ORS-SESS-033',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody({ task: { setup_ms: SETUP_MS } });
      const { exchange } = (await postCreate(probe, sid, body)).requireSuccess('/create');
      const episode = probe.episodeOf(sid);
      const [prompt, tools, call] = await Promise.all([
        episode.prompt(),
        episode.taskTools(),
        episode.start('count').end(),
      ]);
      assertConforms(prompt.isSuccess, `/prompt during setup gave ${prompt.summary}`);
      assertConforms(tools.isSuccess, `/task_tools during setup gave ${tools.summary}`);
      assertConforms(
        call.failure === undefined && call.resultText,
        `/call during setup gave ${call.failure ?? call.summary}`,
      );
      for (const [path, { exchange: later }] of Object.entries({ '/prompt': prompt, '/call': call })) {
        const ms = Math.round((later.endedAt ?? Infinity) - exchange.sentAt);
        assertConforms(ms >= SETUP_MS - CLOCK_MS, `${path} ended ${ms} ms after /create; setup took ${SETUP_MS} ms`);
      }
    },
  },
  {
    id: 'session/setup-once',
    title: 'An episode is set up once, with the given task, however many requests it gets',
    requirement: 'ORS-SESS-049',
    profile: 'full',
    needs: ['fixture:lifecycle', 'fixture:show_task'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const task = { id: 'set up once', key: newKey(), extra: { list: [1, 2.5, null, true] } };
      const episode = await probe.episode({ task });
      await Promise.all([episode.prompt(), episode.taskTools(), episode.prompt()]);
      const { metadata } = (await episode.call('show_task')).output;
      const { setups } = await lifecycle(episode, task.key);
      assertConforms(setups === 1, `the episode was set up ${setups} times`);
      const met = isRecord(metadata) ? metadata.task : undefined;
      assertConforms(
        equalJson(met, task),
        `/create was given the task ${previewJson(task)}, the environment had ${previewJson(met)}`,
      );
    },
  },
  {
    id: 'session/setup-fails',
    title: 'After a failed setup prompt and call fail with a detail, and /delete answers 200',
    requirement: 'ORS-SESS-035',
    profile: 'full',
    needs: ['fixture:count'],
    cost: { sessions: 2, calls: 1 },
    async run(probe) {
      const episode = await probe.episode({ task: { setup_fail: 'no such fuel' } });
      const prompt = await episode.prompt();
      assertConforms(failsWith(prompt), `setup failed, and /prompt gave ${prompt.summary}`);
      const call = await episode.start('count').end();
      const isTold = failsWith(call) || (call.streamError !== undefined && call.streamError !== '');
      assertConforms(isTold, `setup failed, and /call gave ${call.summary}`);
      const deleted = await episode.delete();
      assertConforms(deleted.status === 200, `/delete of a session whose setup failed gave ${deleted.summary}`);
      const again = await postCreate(probe, episode.sid, await probe.createBody());
      probe.note(`/create with the id of a deleted session gave ${again.status}`);
    },
  },
  {
    id: 'session/teardown-after-failed-setup',
    title: 'Teardown also runs for an episode whose setup failed',
    requirement: 'ORS-SESS-036',
    profile: 'full',
    needs: ['fixture:lifecycle'],
    cost: { sessions: 2, calls: MAX_TEARDOWN_CALLS },
    async run(probe) {
      const key = newKey();
      const episode = await probe.episode({ task: { key, setup_fail: 'no such fuel' } });
      assume((await episode.prompt()).status >= 500, 'setup did not fail');
      await episode.delete();
      const teardowns = await countTeardowns(probe, await probe.episode(), key);
      assertConforms(teardowns > 0, 'setup failed, and what it had begun was never torn down');
    },
  },
];
