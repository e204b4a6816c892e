import { assertConforms, assume, assumeInTime } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { ServerTimes } from '../../options.ts';
import {
  JSON_TYPE,
  type Probe,
  type ProbeEpisode,
  type ProbeResponse,
  type RequestOptions,
} from '../../probe/index.ts';
import { countTeardowns, MAX_TEARDOWN_CALLS, newKey, pickTask } from '../steps.ts';

export const expiryChecks = defineChecks({ profile: 'soak', needs: ['task'] }, [
  {
    id: 'session/expires',
    title: 'A session expires 900 seconds after its last request, with a tolerance of 30 seconds',
    requirement: 'ORS-SESS-039',
    cost: { sessions: 2 },
    async run(probe) {
      const { idleMs } = probe.times;
      const tolerance = toleranceMs(probe.times);
      const [early, late] = await Promise.all([
        pingAfter(probe, idleMs - tolerance, await idleEpisode(probe)),
        pingAfter(probe, idleMs + tolerance, await idleEpisode(probe)),
      ]);
      assumeInTime(early.idleMs < idleMs || !isGone(early.ping));
      assertConforms(!isGone(early.ping), `a session had expired ${seconds(early.idleMs)} after its last request`);
      const after = `${seconds(late.idleMs)} after its last request`;
      assertConforms(isGone(late.ping), `${after} /ping returned ${late.ping.summary}`);
    },
  },
  {
    id: 'session/any-request-keeps',
    title: "Any request with the session's id restarts its idle timeout, including discovery",
    requirement: 'ORS-SESS-040',
    cost: { sessions: 4 },
    async run(probe) {
      const task = { json: pickTask(probe) };
      await Promise.all([
        assertStaysAlive(probe, '/prompt', (episode) => episode.prompt()),
        assertStaysAlive(probe, '/task_tools', (episode) => episode.taskTools()),
        assertStaysAlive(probe, '/tools', ({ sid }) => probe.send('GET', probe.path('tools'), { sid })),
        assertStaysAlive(probe, '/task', ({ sid }) => probe.send('POST', probe.path('task'), { sid, ...task })),
      ]);
    },
  },
  {
    id: 'session/odd-requests-keep',
    title:
      "A request with the session's id that is rejected, or for a route that ignores it, restarts its idle timeout",
    requirement: 'ORS-SESS-040',
    cost: { sessions: 5 },
    async run(probe) {
      const call = probe.path('call');
      const requests: readonly (readonly [string, string, RequestOptions?])[] = [
        ['GET', '/health'],
        ['GET', '/list_environments'],
        ['GET', '/conformance-no-such-path'],
        ['PUT', call],
        ['POST', call, { body: '{"name": ', headers: [JSON_TYPE] }],
      ];
      await Promise.all(
        requests.map(([method, path, options]) =>
          assertStaysAlive(probe, `${method} ${path}`, ({ sid }) => probe.send(method, path, { ...options, sid })),
        ),
      );
    },
  },
  {
    id: 'session/ping-keeps',
    title: 'POST /ping restarts the idle timeout of its session',
    requirement: 'ORS-SESS-052',
    cost: { sessions: 1 },
    run: (probe) => assertStaysAlive(probe, '/ping', (episode) => episode.ping()),
  },
  fixtureCheck({
    id: 'session/running-call-keeps',
    title: 'A session does not expire while one of its calls runs',
    requirement: 'ORS-SESS-041',
    profile: 'soak',
    tools: ['sleep'],
    async play(episode, probe) {
      const ms = Math.round(probe.times.idleMs * BEYOND);
      const call = await episode.start('sleep', { ms }, { timeoutMs: ms + probe.timeoutMs }).end();
      const ping = await episode.ping();
      const after = `after a call of ${seconds(ms)} the session had expired`;
      assertConforms(!isGone(ping), `${after}: /ping returned ${ping.summary}`);
      const failure = call.failure ?? call.exchange.failure;
      assume(failure === undefined, `a call of ${seconds(ms)} failed: ${failure}`);
    },
  }),
  fixtureCheck({
    id: 'session/teardown-on-expiry',
    title: 'An expired session is torn down like a deleted one',
    requirement: 'ORS-SESS-051',
    profile: 'soak',
    tools: ['lifecycle'],
    sessions: 2,
    calls: MAX_TEARDOWN_CALLS,
    async run(probe) {
      const key = newKey();
      const { episode } = await idleEpisode(probe, { key });
      await probe.pause(probe.times.idleMs + toleranceMs(probe.times));
      const teardowns = await countTeardowns(probe, await probe.episode(), key);
      assume(teardowns > 0 || isGone(await episode.ping()), 'the session did not expire');
      assertConforms(teardowns > 0, 'a session expired and was not torn down');
    },
  }),
]);

/** 30 s for the standard's 900 s, and proportionally for other times; at least 2 s, because servers sweep at intervals. */
const toleranceMs = ({ idleMs }: ServerTimes) => Math.max(2_000, idleMs / 30);

/** Fractions of the idle timeout: a session is alive after the first, and has expired after the second. */
const WITHIN = 0.6;
const BEYOND = 1.35;

const isGone = ({ status }: ProbeResponse) => status === 404 || status === 410;

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** Opens an episode; `idleSince` is the start of its last request. */
async function idleEpisode(probe: Probe, task?: Record<string, unknown>) {
  const episode = await probe.episode({ ...(task && { task }) });
  const { sentAt } = (await episode.prompt()).requireSuccess('/prompt').exchange;
  return { episode, idleSince: sentAt };
}

/** Sends a ping after some time; `idleMs` is the time since the last request. */
async function pingAfter(probe: Probe, ms: number, { episode, idleSince }: Awaited<ReturnType<typeof idleEpisode>>) {
  await probe.pause(ms);
  const ping = await episode.ping();
  return { ping, idleMs: (ping.exchange.endedAt ?? Infinity) - idleSince };
}

/** Asserts that a request restarts the idle timeout: sends it before the timeout, and a ping after it. */
async function assertStaysAlive(probe: Probe, what: string, send: (episode: ProbeEpisode) => Promise<ProbeResponse>) {
  const { idleMs } = probe.times;
  const { episode, idleSince } = await idleEpisode(probe);
  await probe.pause(idleMs * WITHIN);
  const { exchange } = await send(episode);
  assumeInTime((exchange.endedAt ?? Infinity) - idleSince < idleMs);
  const kept = { episode, idleSince: exchange.sentAt };
  const { ping, idleMs: later } = await pingAfter(probe, idleMs * (BEYOND - WITHIN), kept);
  assumeInTime(later < idleMs || !isGone(ping));
  const expired = `a session had expired ${seconds(later)} after ${what}`;
  assertConforms(!isGone(ping), `${expired}: /ping returned ${ping.summary}`);
}
