import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { OrsClient, type Session } from 'ors-kit/client';
import { ENGINES } from '../cluster/cluster.ts';
import { missing } from '../cluster/programs.ts';
import { startProxy } from '../cluster/proxies.ts';
import { start } from '../support/client.ts';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { replayed, saved } from './durable-games.ts';
import { startDurableNodes } from './durable-nodes.ts';
import { type PlayedGame, playGame } from './game-agents.ts';
import { ways } from './kill-postgres.ts';
import { report } from './notes.ts';

/** The short form: ORS_TORTURE_SECONDS=60 ORS_TORTURE_EPISODES=30 ORS_TORTURE_KILL_SECONDS=10. */
const SECONDS = Number(process.env.ORS_TORTURE_SECONDS ?? 900);
const EPISODES = Number(process.env.ORS_TORTURE_EPISODES ?? 300);
const KILL_SECONDS = Number(process.env.ORS_TORTURE_KILL_SECONDS ?? 30);
/** An episode lives longer than the time between two kills. */
const THINK_MS = 8_000;
/** Time for the last episodes to end. */
const END_MS = 60_000;
const NODES = 3;
const TASKS = 40;
const ENVIRONMENTS = [replayed.name, saved.name];
const ENGINE = ENGINES.find(({ name }) => name === (process.env.ORS_TORTURE_PROXY ?? 'nginx by tag'));

interface Counts {
  games: number;
  interrupted: number;
  unstored: number;
  closedAgain: number;
  readonly lost: string[];
  readonly problems: string[];
}

/** Call latencies, by what happened while they ran. */
class Recovery {
  readonly #running = new Map<Session, number>();
  readonly #events: { readonly what: string; readonly at: number; readonly tag: string; readonly waits: number[] }[] =
    [];
  slowestMs = 0;

  begin(session: Session): () => void {
    this.#running.set(session, performance.now());
    return () => {
      const startedAt = this.#running.get(session) ?? 0;
      const endedAt = performance.now();
      this.#running.delete(session);
      this.slowestMs = Math.max(this.slowestMs, endedAt - startedAt);
      for (const { at, tag, waits } of this.#events) {
        if (session.sid.startsWith(tag) && startedAt < at + KILL_SECONDS * 1000 && endedAt > at) {
          waits.push(endedAt - Math.max(startedAt, at));
        }
      }
    };
  }

  note(what: string, tag = ''): void {
    this.#events.push({ what, at: performance.now(), tag, waits: [] });
  }

  toString(): string {
    return this.#events
      .map(({ what, waits }) => {
        const sorted = waits.sort((one, other) => one - other);
        const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
        return `  ${what}: ${sorted.length} calls, median ${at(0.5)} ms, 99 % ${at(0.99)} ms, slowest ${at(1)} ms`;
      })
      .join('\n');
  }
}

/** Plays each task on a server without a journal. */
async function playStraight(): Promise<ReadonlyMap<string, PlayedGame>> {
  await using server = await start([replayed, saved]);
  await using client = new OrsClient(server.url);
  const games = await Promise.all(
    Array.from({ length: TASKS }, async (_, index) => {
      const game = await playGame(client, saved.name, index, { thinkMs: () => 0 });
      await game.session.close();
      return game;
    }),
  );
  return new Map(games.flatMap((game) => ENVIRONMENTS.map((name) => [`${name}/${game.index}`, game] as const)));
}

/** Compares the results that the journal has with those that the client received. */
async function compareWithJournal(game: PlayedGame, server: PostgresServer, url: string): Promise<string[]> {
  // PostgreSQL may be restarting.
  const outcomes = await until(
    () =>
      server
        .psql(url, `SELECT call::json->>'taskId', outcome FROM journal_calls WHERE sid = '${game.sid}' ORDER BY number`)
        .catch(() => undefined),
    'the calls in the journal',
  );
  const stored = new Map<string, { blocks: unknown; reward: unknown }>();
  for (const line of outcomes.split('\n')) {
    const [taskId = '', outcome = ''] = line.split(/\|(.*)/s);
    const result = outcome.startsWith('r') ? JSON.parse(outcome.slice(1)) : undefined;
    if (result?.ok) stored.set(taskId, result.output);
    else if (result?.reason !== 'interrupted') return [`${game.sid}: ${taskId} has ${outcome || 'no outcome'}`];
  }
  const pairs = [...game.results].map(([taskId, { blocks, reward }]) => {
    const found = stored.get(taskId);
    return [JSON.stringify([taskId, blocks, reward]), JSON.stringify([taskId, found?.blocks, found?.reward])];
  });
  const different = pairs.filter(([received, kept]) => received !== kept);
  const extra = [...stored.keys()].filter((taskId) => !game.results.has(taskId));
  return [
    ...different.map(([received, kept]) => `${game.sid}: received ${received}, stored ${kept}`),
    ...extra.map((taskId) => `${game.sid}: paid for ${taskId}, which the agent did not receive`),
  ];
}

const transcriptOf = ({ prompt, calls }: PlayedGame): string => JSON.stringify([prompt, calls]);

testUnless(postgresMissing ?? missing(ENGINE?.program ?? 'nginx', 'episodes behind a proxy'))(
  `continues ${EPISODES} episodes at once for ${SECONDS} s, a server killed every ${KILL_SECONDS} s and PostgreSQL twice`,
  async () => {
    if (!ENGINE) throw new Error('invalid ORS_TORTURE_PROXY: expected the name of an engine of test/cluster');
    const straight = await playStraight();
    await using server = await startPostgres();
    const url = await server.newUrl();
    await using nodes = await startDurableNodes(NODES, url);
    await using proxy = await startProxy(ENGINE.program, nodes.addresses, ENGINE.configure);
    await using client = new OrsClient(proxy.url);
    const counts: Counts = { games: 0, interrupted: 0, unstored: 0, closedAgain: 0, lost: [], problems: [] };
    const recovery = new Recovery();
    const endsAt = performance.now() + SECONDS * 1000;
    const options = {
      // The last episodes end soon.
      thinkMs: () => (performance.now() < endsAt ? THINK_MS : 0),
      onCall: (session: Session) => recovery.begin(session),
      onInterrupted: () => void counts.interrupted++,
      onUnstored: () => void counts.unstored++,
    };

    async function playOne(number: number): Promise<void> {
      const name = ENVIRONMENTS[number % ENVIRONMENTS.length] ?? '';
      const index = Math.floor(number / ENVIRONMENTS.length) % TASKS;
      counts.games++;
      try {
        const game = await playGame(client, name, index, options);
        const expected = straight.get(`${name}/${index}`);
        if (!expected || transcriptOf(game) !== transcriptOf(expected)) {
          counts.problems.push(`${name}/${index}: ${transcriptOf(game)}`);
        }
        counts.problems.push(...(await compareWithJournal(game, server, url)));
        await game.session.close().catch(() => {
          counts.closedAgain++;
          return until(
            () =>
              game.session.close().then(
                () => true,
                () => false,
              ),
            'the end of a session',
            END_MS,
          );
        });
      } catch (error) {
        counts.lost.push(`${name}/${index}: ${String(error)}`);
      }
    }
    let started = 0;
    const playing = Array.from({ length: EPISODES }, async () => {
      await delay(Math.random() * Math.min(THINK_MS, SECONDS * 100));
      while (performance.now() < endsAt) await playOne(started++);
    });

    let kills = 0;
    const killing = (async () => {
      for (await delay(KILL_SECONDS * 1000); performance.now() < endsAt; await delay(KILL_SECONDS * 1000)) {
        const index = kills++ % NODES;
        const tag = index.toString(16).padStart(4, '0');
        await nodes.kill(index, () => recovery.note(`kill of ${tag}`, tag));
        recovery.note(`return of ${tag}`, tag);
      }
    })();
    let restarts = 0;
    const restarting = (async () => {
      for (const share of [1 / 3, 2 / 3]) {
        await delay(Math.max(0, endsAt - SECONDS * 1000 * (1 - share) - performance.now()));
        recovery.note('restart of PostgreSQL');
        await ways.immediately(server);
        restarts++;
      }
    })();
    // Episodes that do not end count as lost.
    const closing = setTimeout(() => void client.close(), endsAt + END_MS - performance.now());
    await Promise.all([...playing, killing, restarting]);
    clearTimeout(closing);

    const left = await server.psql(url, 'SELECT count(*) FROM journal_episodes');
    report(
      `${counts.games} episodes, ${EPISODES} at once, in ${SECONDS} s; ${kills} kills, PostgreSQL restarted ${restarts} times: ` +
        `${counts.lost.length} episodes lost, ${counts.problems.length} transcripts or rewards different, ` +
        `${counts.interrupted} calls interrupted and repeated by the agent, ${counts.unstored} not stored and resumed, ` +
        `${counts.closedAgain} closed again, ${left} left in the journal; slowest call ${recovery.slowestMs.toFixed(0)} ms\n${recovery}`,
    );
    if (counts.lost.length > 0) report(nodes.said().slice(-20_000));
    expect(counts.lost).toEqual([]);
    expect(counts.problems).toEqual([]);
    expect(left).toBe('0');
    expect(kills).toBeGreaterThan(0);
    expect(restarts).toBe(2);
  },
);
