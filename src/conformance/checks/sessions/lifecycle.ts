import { equalJson, fieldsOf, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { assertStatus, assertSuccess } from '../responses.ts';
import {
  countTeardowns,
  lifecycle,
  MAX_TEARDOWN_CALLS,
  newKey,
  openEpisode,
  pickTask,
  postCreate,
  requirePrompt,
  unknownSid,
} from '../steps.ts';

/** Setup times, much longer than a response that does not wait for setup. */
const LONG_SETUP_MS = 8_000;
const SETUP_MS = 4_000;
const PING_SETUP_MS = 3_000;
/** Tolerance between two clocks during setup. */
const CLOCK_TOLERANCE_MS = 20;
/** Maximum number of tasks that are tried to find another prompt. */
const MAX_ATTEMPTS = 3;

export const lifecycleChecks = defineChecks({ profile: 'core' }, [
  fixtureCheck({
    id: 'session/create-before-setup',
    title: 'POST /create returns before setup has ended',
    requirement: 'ORS-SESS-048',
    tools: [],
    calls: 0,
    async run(probe) {
      const { created } = await openSlowly(probe, LONG_SETUP_MS);
      const ms = elapsedMs(created, created);
      assertConforms(ms < LONG_SETUP_MS, `/create returned after ${Math.round(ms)} ms; setup took ${LONG_SETUP_MS} ms`);
    },
  }),
  fixtureCheck({
    id: 'session/setup-is-awaited',
    title: 'Prompt, task_tools and call requests during setup wait for it and then succeed',
    requirement: 'ORS-SESS-033',
    tools: ['count'],
    async run(probe) {
      const { episode, created } = await openSlowly(probe, SETUP_MS);
      const [prompt, tools, call] = await Promise.all([
        episode.prompt(),
        episode.taskTools(),
        episode.start('count').end(),
      ]);
      assertSuccess(prompt, '/prompt during setup');
      assertSuccess(tools, '/task_tools during setup');
      const hasResult = call.failure === undefined && call.resultText;
      assertConforms(hasResult, `/call during setup returned ${call.failure ?? call.summary}`);
      for (const [path, response] of Object.entries({ '/prompt': prompt, '/call': call })) {
        const ms = Math.round(elapsedMs(created, response));
        const hasWaited = ms >= SETUP_MS - CLOCK_TOLERANCE_MS;
        assertConforms(hasWaited, `${path} ended ${ms} ms after /create; setup took ${SETUP_MS} ms`);
      }
    },
  }),
  fixtureCheck({
    id: 'session/setup-once',
    title: 'An episode is set up once, with the task of /create, regardless of the number of requests',
    requirement: 'ORS-SESS-049',
    tools: ['lifecycle', 'show_task'],
    calls: 2,
    async run(probe) {
      const task = { id: 'set up once', key: newKey(), extra: { list: [1, 2.5, null, true] } };
      const episode = await probe.episode({ task });
      await Promise.all([episode.prompt(), episode.taskTools(), episode.prompt()]);
      const { metadata } = (await episode.call('show_task')).output;
      const { setups } = await lifecycle(episode, task.key);
      assertConforms(setups === 1, `the episode was set up ${setups} times`);
      const { task: actual } = fieldsOf(metadata);
      const what = `/create got the task ${previewJson(task)}, the environment had ${previewJson(actual)}`;
      assertConforms(equalJson(actual, task), what);
    },
  }),
  fixtureCheck({
    id: 'session/setup-fails',
    title: 'After a failed setup, prompt and call fail with a detail, and /delete returns 200',
    requirement: 'ORS-SESS-035',
    tools: ['count'],
    sessions: 2,
    async run(probe) {
      const episode = await probe.episode({ task: { setup_fail: 'no such fuel' } });
      const prompt = await episode.prompt();
      assertConforms(failsWith(prompt), `setup failed, and /prompt returned ${prompt.summary}`);
      const call = await episode.start('count').end();
      const isReported = failsWith(call) || (call.streamError !== undefined && call.streamError !== '');
      assertConforms(isReported, `setup failed, and /call returned ${call.summary}`);
      assertStatus(await episode.delete(), 200, '/delete of a session whose setup failed');
      const again = await postCreate(probe, episode.sid, await probe.createBody());
      probe.note(`/create with the id of a deleted session returned ${again.status}`);
    },
  }),
  fixtureCheck({
    id: 'session/teardown-after-failed-setup',
    title: 'Teardown also runs for an episode whose setup failed',
    requirement: 'ORS-SESS-036',
    tools: ['lifecycle'],
    sessions: 2,
    calls: MAX_TEARDOWN_CALLS,
    async run(probe) {
      const key = newKey();
      const episode = await probe.episode({ task: { key, setup_fail: 'no such fuel' } });
      assume((await episode.prompt()).status >= 500, 'setup did not fail');
      await episode.delete();
      const teardowns = await countTeardowns(probe, await probe.episode(), key);
      assertConforms(teardowns > 0, 'setup failed, and teardown did not run');
    },
  }),
  {
    id: 'session/ping',
    title: 'POST /ping of a live session returns 200 and the status "ok"',
    requirement: 'ORS-SESS-023',
    needs: ['task'],
    async run(probe) {
      const response = await (await probe.sharedEpisode()).ping();
      assertConforms(isOk(response), `/ping of a live session returned ${response.summary}`);
    },
  },
  fixtureCheck({
    id: 'session/ping-during-setup',
    title: 'POST /ping returns the same during setup',
    requirement: 'ORS-SESS-023',
    tools: [],
    calls: 0,
    async run(probe) {
      const { episode, created } = await openSlowly(probe, PING_SETUP_MS);
      assume(elapsedMs(created, created) < PING_SETUP_MS, '/create returned only after setup');
      const response = await episode.ping();
      assertConforms(isOk(response), `/ping during setup returned ${response.summary}`);
      assertConforms(elapsedMs(created, response) < PING_SETUP_MS, '/ping returned only after setup');
    },
  }),
  {
    id: 'session/ping-unknown',
    title: 'POST /ping with an id without a session returns 404',
    requirement: 'ORS-SESS-024',
    async run(probe) {
      assertStatus(await probe.episodeOf(unknownSid()).ping(), 404, '/ping with an unknown id');
    },
  },
  {
    id: 'session/own-prompt',
    title:
      'Two sessions with different tasks, requested in turn and concurrently, each return the prompt of their task',
    requirement: 'ORS-SESS-054',
    needs: ['task'],
    cost: { sessions: MAX_ATTEMPTS },
    async run(probe) {
      const first = await probe.sharedEpisode();
      const own = await requirePrompt(first);
      const second = await otherEpisode(probe, own);
      assumeApplicable(second, 'the tried tasks have the same prompt');
      const other = await requirePrompt(second);
      const again = await Promise.all([first, second, first, second].map(requirePrompt));
      for (const [index, prompt] of again.entries()) {
        const wrong = index % 2 === 0 ? other : own;
        const isOwn = !equalJson(prompt, wrong);
        assertConforms(isOwn, `a session got the prompt of another one: ${previewJson(prompt, 200)}`);
      }
    },
  },
  fixtureCheck({
    id: 'session/state-isolated',
    title: 'Two sessions with the same task share no state',
    requirement: 'ORS-SESS-037',
    tools: ['count'],
    sessions: 2,
    calls: 2,
    async run(probe) {
      const task = { id: 'twins' };
      const one = await probe.episode({ task });
      const two = await probe.episode({ task });
      await one.text('count', { by: 40 });
      const counter = await two.text('count', { by: 2 });
      const what = 'one session added 40 to its counter, and the counter of another one';
      assertConforms(counter === '2', `${what} was ${counter} instead of 2`);
    },
  }),
  fixtureCheck({
    id: 'session/state-lasts',
    title: 'State that a tool changes persists until the next call of the same session',
    requirement: 'ORS-SESS-038',
    tools: ['count'],
    calls: 2,
    async play(episode) {
      await episode.text('count', { by: 5 });
      const counter = await episode.text('count', { by: 12 });
      assertConforms(counter === '17', `5 and then 12 were added to the counter, and it was ${counter}`);
    },
  }),
  fixtureCheck({
    id: 'session/one-task',
    title: 'All calls of a session use the same task, even if other sessions are opened in between',
    requirement: 'ORS-SESS-050',
    tools: ['show_task'],
    sessions: 2,
    calls: 2,
    async run(probe) {
      const episode = await probe.episode({ task: { id: 'one' } });
      const tasks = [await episode.text('show_task')];
      await (await probe.episode({ task: { id: 'another' } })).prompt();
      tasks.push(await episode.text('show_task'));
      assertConforms(tasks[0] === tasks[1], `two calls of one session had the tasks ${previewJson(tasks)}`);
    },
  }),
]);

const failsWith = ({ status, detail }: ProbeResponse) => status >= 500 && detail !== '';

const isOk = ({ status, json }: ProbeResponse) => status === 200 && fieldsOf(json).status === 'ok';

/** Opens an episode with this setup time; `created` is the response of /create. */
async function openSlowly(probe: Probe, setup_ms: number) {
  const sid = await probe.createSessionId();
  const created = await postCreate(probe, sid, await probe.createBody({ task: { setup_ms } }));
  return { episode: probe.episodeOf(sid), created: created.requireSuccess('/create') };
}

/** Milliseconds from the start of one request to the response of another. */
const elapsedMs = (from: ProbeResponse, to: ProbeResponse) => (to.exchange.endedAt ?? Infinity) - from.exchange.sentAt;

/** Opens an episode with another prompt, in any split; undefined if none is found. */
async function otherEpisode(probe: Probe, prompt: unknown): Promise<ProbeEpisode | undefined> {
  const splits = probe.environment.splits.filter(({ name, count }) => count !== 0 && name !== pickTask(probe).split);
  const places = [pickTask(probe), ...splits.map(({ name: split }) => ({ split, index: 0 }))];
  for (const place of places.slice(0, MAX_ATTEMPTS)) {
    const episode = await openEpisode(probe, { ...(await probe.createBody()), ...place });
    if (!equalJson(await requirePrompt(episode), prompt)) return episode;
  }
  return undefined;
}
