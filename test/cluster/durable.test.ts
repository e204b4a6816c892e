import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OrsClient } from 'ors-kit/client';
import { request } from '../support/client.ts';
import { ORS } from '../support/command.ts';
import { describeUnless } from '../support/optional.ts';
import { until, withDeadline } from '../support/until.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { type Cluster, ENGINES, type EngineUnderTest, startCluster } from './cluster.ts';
import { missing } from './programs.ts';

/** Sessions of each node. */
const PER_NODE = 6;

/** Bodies that a proxy keeps in memory, and that it does not. */
const BODIES = [0, 300_000, 8_000_000];

interface DurableSession {
  readonly environment: 'counting' | 'plain';
  readonly sid: string;
  readonly n: number;
  expected: number;
}

interface CountResponse {
  readonly status: number;
  /** Text of the result, or the response. */
  readonly text: string;
  readonly ms: number;
}

let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (postgresMissing === undefined) postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
});

async function startDurableCluster(engine: EngineUnderTest): Promise<Cluster> {
  const journal = (await postgres?.newUrl()) ?? '';
  const options = ['--journal', journal, '--drain-timeout', '600'];
  return startCluster(engine, [...ORS, 'serve', 'test/cluster/durable.mjs', ...options]);
}

let tasks = 0;

/** Creates sessions until a node has a number of them, and deletes those of other nodes. */
async function enter(
  { proxy, node }: Cluster,
  tag: string,
  environment: DurableSession['environment'],
  count: number,
): Promise<DurableSession[]> {
  const sessions: DurableSession[] = [];
  for (let attempts = 0; sessions.length < count; attempts++) {
    if (attempts > 20 * count) throw new Error(`few sessions begin on ${tag}`);
    const n = tasks++;
    // Clients may choose their ids.
    const { sid } = n % 2 ? { sid: `chosen-${n}` } : (await request(proxy, 'POST', '/create_session')).body;
    const body = { env_name: environment, split: 'train', index: n };
    const { status } = await request(proxy, 'POST', '/create', { sid, body });
    expect(status).toBe(200);
    await until(() => ['0000', '0001', '0002'].some((each) => node(each).said('set up').includes(n)));
    if (node(tag).said('set up').includes(n)) sessions.push({ environment, sid, n, expected: 0 });
    else await request(proxy, 'POST', '/delete', { sid });
  }
  return sessions;
}

/** Calls a tool once, without repeating the request. */
async function count({ proxy }: Cluster, session: DurableSession, bytes = 0, name = 'count'): Promise<CountResponse> {
  const { environment, sid } = session;
  const startedAt = performance.now();
  // The tool ignores the input.
  const body = { name, input: { ignored: 'x'.repeat(bytes) }, task_id: crypto.randomUUID() };
  const response = await request(proxy, 'POST', `/${environment}/call`, { sid, body });
  const [, result = '{}'] = /event: end\ndata: (.*)/.exec(response.body) ?? [];
  const text = response.status === 200 ? JSON.parse(result).output?.blocks[0].text : response.body.detail;
  session.expected++;
  return { status: response.status, text, ms: performance.now() - startedAt };
}

/** Calls the tool of each session once, one after the other, and expects that each call ran once. */
async function countAll(cluster: Cluster, sessions: readonly DurableSession[], bytes = 0): Promise<number> {
  const responses: CountResponse[] = [];
  for (const session of sessions) responses.push(await count(cluster, session, bytes));
  expect(responses.map(({ status, text }) => [status, text])).toEqual(
    sessions.map(({ expected }) => [200, `${expected}`]),
  );
  return Math.max(...responses.map(({ ms }) => ms));
}

const restores = ({ nodes }: Cluster, { n }: DurableSession): number =>
  nodes.all.flatMap((node) => node.said('restored')).filter((each) => each === n).length;

describe.each(ENGINES)('behind $name', (engine: EngineUnderTest) => {
  const reason = postgresMissing ?? missing(engine.program, `durable sessions behind ${engine.name}`);
  describeUnless(reason)('with three nodes and a journal', () => {
    test('requests of idle sessions of a draining node are answered by another one at once', async () => {
      await using cluster = await startDurableCluster(engine);
      const leaving = cluster.node('0000');
      const durable = await enter(cluster, '0000', 'counting', PER_NODE);
      const plain = await enter(cluster, '0000', 'plain', 2);
      const other = await enter(cluster, '0001', 'plain', 1);
      await countAll(cluster, [...durable, ...plain, ...other]);

      leaving.command.child.kill('SIGTERM');
      await until(async () => (await request({ url: `http://${leaving.address}` }, 'GET', '/ready')).status === 503);
      // Before and after the proxy knows it.
      for (const pause of [0, 2_000]) {
        await delay(pause);
        for (const bytes of BODIES) {
          const slowest = await countAll(cluster, [...durable, ...plain], bytes);
          cluster.note(`drain, ${pause} ms later, ${bytes} bytes: ${slowest.toFixed(0)} ms at most`);
        }
      }
      cluster.node('0001').command.child.kill('SIGTERM');
      await countAll(cluster, [...durable, ...plain, ...other]);
      const ping = await request(cluster.proxy, 'POST', '/ping', { sid: durable[0]?.sid ?? '' });

      expect(ping.status).toBe(200);
      expect(leaving.command.child.exitCode).toBe(null);
      for (const { sid } of plain) await request(cluster.proxy, 'POST', '/delete', { sid });
      const { code } = await leaving.command.result;
      await countAll(cluster, durable);
      expect(code).toBe(0);
    });

    test('requests of a dead node are answered by another one', async () => {
      await using cluster = await startDurableCluster(engine);
      const victim = cluster.node('0001');
      const sessions = await enter(cluster, '0001', 'counting', PER_NODE);
      await countAll(cluster, sessions);

      victim.command.child.kill('SIGKILL');
      await withDeadline(once(victim.command.child, 'exit'), 'the end of the killed node');
      const first = await countAll(cluster, sessions);
      await delay(2_000);
      let slowest = 0;
      const repeated = Array.from({ length: 10 }, () => sessions).flat();
      for (const session of repeated) slowest = Math.max(slowest, await countAll(cluster, [session]));

      cluster.note(`kill -9: ${first.toFixed(0)} ms at most, later ${slowest.toFixed(0)} ms`);
      expect(sessions.map((session) => restores(cluster, session))).toEqual(sessions.map(() => 1));
    });

    test('a restart of one node after the other, while clients play, loses nothing', async () => {
      await using cluster = await startDurableCluster(engine);
      await using client = new OrsClient(cluster.proxy.url);
      const counting = client.environment('counting');
      const sessions = await Promise.all(
        Array.from({ length: 12 }, (_, index) => counting.session({ split: 'train', index })),
      );
      let isOver = false;
      const playing = sessions.map(async (session) => {
        const counts: string[] = [];
        while (!isOver) {
          counts.push((await session.call('count')).text);
          await delay(50);
        }
        return counts;
      });

      const exits: number[] = [];
      for (const tag of ['0000', '0001', '0002']) {
        const { command, address } = cluster.node(tag);
        const since = performance.now();
        command.child.kill('SIGTERM');
        expect((await command.result).code).toBe(0);
        exits.push(performance.now() - since);
        await cluster.nodes.start(tag, address);
      }
      isOver = true;
      const played = await Promise.all(playing);
      await Promise.all(sessions.map((session) => session.close()));

      cluster.note(`restart of each node: exits after ${exits.map((ms) => ms.toFixed(0)).join(', ')} ms`);
      expect(played).toEqual(played.map((counts) => counts.map((_, index) => `${index + 1}`)));
      expect(played.flat().length).toBeGreaterThan(2 * sessions.length);
    });
  });
});
