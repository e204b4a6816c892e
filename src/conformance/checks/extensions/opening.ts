import { equalJson, fieldsOf, isRecord, parseRetryAfter, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { assertClientError, assertStatus, assertSuccess } from '../responses.ts';
import { newKey, postCreate, requirePrompt, unknownSid } from '../steps.ts';
import { assumeForks, episodeWithout, NO_TOOLSET, openWithToolset, toolList, toolNames } from './announced.ts';

const SETUP_MS = 3_000;
/** A client that understands 503 with X-Backend-State, and waits for a second. */
const PREFER = ['Prefer', 'wait=1'] as const;
const STARTING = 'starting';
/** Maximum number of requests until setup has ended. */
const MAX_REQUESTS = 10;
/** Toolset of the fixture. */
const TOOLSET = 'spare';
const OWNER = 'conformance-no-such-owner';

export const openingChecks = defineChecks({ profile: 'core', needs: ['task'], cost: { sessions: 1 } }, [
  fixtureCheck({
    id: 'starting/response',
    title:
      'A client that does not wait for the whole setup gets 503 with X-Backend-State and Retry-After, then the prompt',
    requirement: 'ORS-EXT-029',
    tools: [],
    calls: 1,
    async run(probe) {
      const episode = await probe.episode({ task: { setup_ms: SETUP_MS } });
      const ask = () => probe.send('GET', episode.path('prompt'), { sid: episode.sid, headers: [PREFER] });
      let response = await ask();
      assumeApplicable(response.status !== 200, 'the server waits until setup has ended');
      assertIsStarting(response, '/prompt during setup');
      // A call is a stream, which has heartbeats.
      const call = episode.start('noargs', {}, { headers: [PREFER] });
      for (let count = 1; response.status === 503 && count < MAX_REQUESTS; count++) {
        await probe.pause(Math.min(1_000, parseRetryAfter(response.header('retry-after')) ?? 1_000));
        response = await ask();
      }
      assertSuccess(response, '/prompt after setup');
      const called = await call.end();
      if (called.status === 503) assertIsStarting(called, '/call during setup');
      else assume(called.failure === undefined, `the call during setup returned ${called.summary}`);
    },
  }),
  fixtureCheck({
    id: 'starting/task-tools',
    title:
      'During a long setup, GET /task_tools returns the tools of the episode; only clients that ask for it get 503',
    requirement: 'ORS-EXT-038',
    tools: [],
    calls: 0,
    async run(probe) {
      const episode = await probe.episode({ task: { setup_ms: SETUP_MS } });
      const [plain, preferring] = await Promise.all([
        episode.taskTools(),
        probe.send('GET', episode.path('task_tools'), { sid: episode.sid, headers: [PREFER] }),
      ]);
      assertSuccess(plain, '/task_tools during setup, without a Prefer header,');
      if (preferring.status === 503) assertIsStarting(preferring, '/task_tools during setup');
      else assertSuccess(preferring, '/task_tools during setup');
      // Returns after setup.
      await requirePrompt(episode);
      const after = toolNames(await toolList(probe, episode));
      for (const response of [plain, preferring]) {
        if (!response.isSuccess) continue;
        const names = toolNames(fieldsOf(response.json));
        const isSame = equalJson(names.toSorted(), after.toSorted());
        assertConforms(isSame, `/task_tools lists ${names.join(', ')} during setup, and ${after.join(', ')} after it`);
      }
    },
  }),
  {
    id: 'toolset/unknown',
    title: 'POST /create with an unknown toolset_name returns 400 with the word toolset, and its id can be reused',
    requirement: 'ORS-EXT-031',
    cost: { sessions: 2 },
    async run(probe) {
      const sid = await probe.createSessionId();
      const body = await probe.createBody();
      const response = await postCreate(probe, sid, { ...body, toolset_name: NO_TOOLSET });
      assumeApplicable(!response.isSuccess, 'the server ignores toolset_name');
      const unknown = await postCreate(probe, await probe.createSessionId(), { ...body, conformance_note: 1 });
      const isKnown = unknown.status !== response.status;
      assumeApplicable(isKnown, `the server has no toolsets, and rejects every unknown field: ${unknown.summary}`);
      const again = await postCreate(probe, sid, body);
      assume(again.isSuccess, `/create returned ${again.summary}`);
      assertStatus(response, 400, `/create with the toolset_name '${NO_TOOLSET}'`);
      const isNamed = /toolset/i.test(response.detail.replaceAll(NO_TOOLSET, ''));
      assertConforms(isNamed, `the detail does not have the word toolset: ${response.detail}`);
    },
  },
  fixtureCheck({
    id: 'toolset/merged',
    title: 'The tools of a toolset are listed in its session only, and replace tools of the environment',
    requirement: 'ORS-EXT-032',
    tools: ['noargs'],
    sessions: 2,
    calls: 2,
    async run(probe) {
      assumeApplicable(!(await openWithToolset(probe, NO_TOOLSET)).isOpen, 'the server ignores toolset_name');
      const { isOpen, episode, summary } = await openWithToolset(probe, TOOLSET);
      assumeApplicable(isOpen, `the fixture has no toolset '${TOOLSET}': ${summary}`);
      const inside = toolNames(await toolList(probe, episode));
      const outside = toolNames(await toolList(probe));
      const counts = ['spare_only', 'noargs'].map((name) => inside.filter((each) => each === name).length);
      assertConforms(counts.join() === '1,1', `/task_tools lists spare_only and noargs ${counts.join(' and ')} times`);
      assertConforms(!outside.includes('spare_only'), "/tools lists 'spare_only', which only the toolset has");
      for (const [name, text] of Object.entries({ spare_only: 'spare', noargs: 'spare noargs' })) {
        const called = await episode.call(name);
        const found = called.failure ?? called.outputText;
        assertConforms(found === text, `'${name}' of the toolset returned ${previewJson(found)} instead of '${text}'`);
      }
    },
  }),
  {
    id: 'secrets/required',
    title: 'The list of required secrets is an array of names, also for an empty owner',
    requirement: 'ORS-EXT-033',
    profile: 'discovery',
    needs: [],
    cost: {},
    async run(probe) {
      const secrets = await requiredSecrets(probe, OWNER);
      const isList = Array.isArray(secrets.names) && secrets.names.every((name) => typeof name === 'string');
      assertConforms(isList, `${secrets.path} returned ${secrets.summary}`);
      const withoutOwner = await requiredSecrets(probe, '');
      const isSame = previewJson(withoutOwner.names) === previewJson(secrets.names);
      assertConforms(
        isSame,
        `${withoutOwner.path} returned ${withoutOwner.summary}, ${secrets.path} ${secrets.summary}`,
      );
    },
  },
  {
    id: 'secrets/of-other-name',
    title: 'A name that is not served gets the required secrets of the first environment',
    requirement: 'ORS-EXT-034',
    profile: 'discovery',
    needs: [],
    cost: {},
    async run(probe) {
      const own = await requiredSecrets(probe, OWNER, probe.target.names[0] ?? '');
      const other = await requiredSecrets(probe, OWNER, 'conformance-no-such-environment');
      const isSame = previewJson(other.names) === previewJson(own.names);
      assertConforms(isSame, `${other.path} returned ${other.summary}, ${own.path} ${own.summary}`);
    },
  },
  {
    id: 'fork/unsupported',
    title: 'POST /fork in an environment that cannot fork sessions returns 404',
    requirement: 'ORS-EXT-039',
    async run(probe) {
      const episode = await episodeWithout(probe, 'supports_fork', 'forks');
      const { response } = await episode.fork();
      assertStatus(response, 404, `/fork of a session of '${episode.environment}', which cannot be forked,`);
    },
  },
  fixtureCheck({
    id: 'fork/continues',
    title: 'POST /fork returns another session with the state of the first, and neither changes the other',
    requirement: 'ORS-EXT-040',
    tools: ['count'],
    sessions: 2,
    calls: 4,
    async play(episode, probe) {
      await assumeForks(probe);
      await episode.text('count');
      const { response, fork } = await episode.fork();
      assertSuccess(response, '/fork');
      assertConforms(fork && fork.sid !== episode.sid, `/fork returned ${response.summary}`);
      await assertCounts(fork, 10, '11', 'the first call of a fork');
      await assertCounts(episode, 1, '2', 'after a call of its fork, a call of the session');
      await assertCounts(fork, 1, '12', 'after a call of the session, a call of its fork');
    },
  }),
  fixtureCheck({
    id: 'fork/at',
    title: 'A fork at a call continues after it, without later calls',
    requirement: 'ORS-EXT-041',
    tools: ['count'],
    sessions: 2,
    calls: 3,
    async play(episode, probe) {
      await assumeForks(probe);
      const { taskId } = await episode.call('count');
      await episode.text('count');
      await assertCounts(await requireFork(episode, { at: taskId }), 10, '11', 'the first call of a fork at call 1');
    },
  }),
  {
    id: 'fork/repeated',
    title: 'A fork that is requested again with its task_id is the same session',
    requirement: 'ORS-EXT-042',
    cost: { sessions: 3 },
    async play(episode, probe) {
      await assumeForks(probe);
      const key = { task_id: newKey() };
      const first = await requireFork(episode, key);
      const { response, fork } = await episode.fork(key);
      assertConforms(fork?.sid === first.sid, `the repeated /fork returned ${response.summary}, not ${first.sid}`);
    },
  },
  fixtureCheck({
    id: 'fork/used-task-id',
    title: 'The task_id of a fork at another call is rejected',
    requirement: 'ORS-EXT-043',
    tools: ['count'],
    sessions: 3,
    async play(episode, probe) {
      await assumeForks(probe);
      const { taskId } = await episode.call('count');
      const task_id = newKey();
      await requireFork(episode, { task_id });
      const { response } = await episode.fork({ task_id, at: taskId });
      assertClientError(response, '/fork with another call and the task_id of a fork');
    },
  }),
  {
    id: 'fork/unknown-call',
    title: 'POST /fork at a call that the session does not have is rejected',
    requirement: 'ORS-EXT-044',
    cost: { sessions: 2 },
    async play(episode, probe) {
      await assumeForks(probe);
      const { response } = await episode.fork({ at: newKey() });
      assertClientError(response, '/fork at an unknown call');
    },
  },
  {
    id: 'fork/unknown-session',
    title: 'POST /fork of an unknown session returns 404',
    requirement: 'ORS-EXT-045',
    async run(probe) {
      await assumeForks(probe);
      const { response } = await probe.episodeOf(unknownSid()).fork();
      assertStatus(response, 404, '/fork of an unknown session');
    },
  },
]);

/** Forks a session. @throws UntestableError if that fails */
async function requireFork(episode: ProbeEpisode, json: Readonly<Record<string, unknown>>): Promise<ProbeEpisode> {
  const { response, fork } = await episode.fork(json);
  assume(fork, `/fork returned ${response.summary}`);
  return fork;
}

async function assertCounts(episode: ProbeEpisode, by: number, expected: string, what: string): Promise<void> {
  const { failure, outputText } = await episode.call('count', { by });
  const found = failure ?? outputText;
  assertConforms(found === expected, `${what} returned ${previewJson(found)} instead of '${expected}'`);
}

function assertIsStarting(response: ProbeResponse, what: string): void {
  assertStatus(response, 503, what);
  const state = response.header('x-backend-state');
  assertConforms(state === STARTING, `${what} returned 503 with X-Backend-State ${previewJson(state ?? null)}`);
  const retryAfter = response.header('retry-after') ?? '';
  assertConforms(/^\d+$/.test(retryAfter), `${what} returned 503 with Retry-After ${previewJson(retryAfter)}`);
  const { detail } = fieldsOf(response.json);
  assertConforms(typeof detail === 'string' && detail !== '', `${what} returned ${response.summary}`);
}

/** Fetches the required secrets of an environment. @throws NotApplicableError if the server has no such route */
async function requiredSecrets(probe: Probe, owner: string, name = probe.environment.name) {
  const path = `/v1/environments/${owner}/${encodeURIComponent(name)}/required-secrets`;
  const { status, json, summary } = await probe.send('GET', path);
  // A path that is not served may be redirected to the first environment.
  const isMissing = owner === OWNER && probe.target.names.includes(name) && (status === 404 || isRedirect(status));
  assumeApplicable(!isMissing, `the server has no list of required secrets: ${summary}`);
  return { path, summary, names: isRecord(json) ? json.secrets : undefined };
}

const isRedirect = (status: number) => status === 307 || status === 308;
