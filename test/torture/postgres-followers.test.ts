import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import { message } from '../trace/model/store.ts';
import { postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { type Way, ways } from './kill-postgres.ts';
import { report } from './notes.ts';
import { startServers } from './servers.ts';

const KILLS = 12;
const WAYS: readonly Way[] = ['immediately', 'postmaster', 'everything', 'connection'];
const BATCH = 5;
const DEADLINE_MS = 120_000;

/** Posts until the server accepts; while the database is down, it answers with 503, or that the result is unknown. */
async function untilTaken(url: string, body: unknown): Promise<number> {
  let refused = 0;
  const isTaken = async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const { status } = await fetch(url, init);
    if (status < 300) return true;
    expect(status).toBeGreaterThanOrEqual(500);
    refused++;
    return false;
  };
  await until(isTaken, `a success of POST ${url}`, DEADLINE_MS);
  return refused;
}

/** Follows a trace until it is stopped, and reconnects as often as needed. */
function follow(url: string) {
  const seen: { readonly place: string | undefined; readonly id: string }[] = [];
  const stopped = new AbortController();
  const { signal } = stopped;
  let connections = 0;

  async function once(): Promise<void> {
    const response = await fetch(`${url}?after=${seen.at(-1)?.place ?? 0}`, { signal });
    if (response.status !== 200) return;
    connections++;
    const parser = createParser({
      onEvent({ event, id, data }) {
        if (event === 'block') seen.push({ place: id, id: JSON.parse(data).id });
      },
    });
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }));
  }

  async function keepFollowing(): Promise<void> {
    while (!signal.aborted) {
      // A server whose database is gone ends its streams.
      await once().catch(() => undefined);
      await delay(20);
    }
  }

  const ended = keepFollowing();
  return {
    seen,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await ended;
    },
  };
}

testUnless(postgresMissing)(
  `delivers all blocks of one server to followers of another, once and in order, while PostgreSQL is killed ${KILLS} times`,
  async () => {
    await using database = await startPostgres();
    const place = await database.newUrl();
    await using servers = await startServers(place, 2);
    const [here = '', there = ''] = servers.urls;
    await untilTaken(here, { id: 'tr_a' });
    await using follower = follow(`${there}/tr_a/stream`);
    const written: string[] = [];
    let refused = 0;
    const append = async () => {
      const ids = Array.from({ length: BATCH }, (_, number) => `tb_${written.length + number}`);
      refused += await untilTaken(`${here}/tr_a/blocks`, { blocks: ids.map((id) => message({ id })) });
      written.push(...ids);
    };
    const untilSeen = () =>
      until(() => follower.seen.length >= written.length, `${written.length} blocks at the follower`, DEADLINE_MS);

    for (let kill = 0; kill < KILLS; kill++) {
      await append();
      if (kill % 3 === 0) await untilSeen();
      const death = ways[WAYS[kill % WAYS.length] ?? 'immediately'](database, place);
      for (let more = 0; more < 10; more++) await append();
      await death;
      await append();
      await untilSeen();
    }

    report(
      `PostgreSQL killed ${KILLS} times under a follower: ${written.length} blocks over ${follower.connections()} ` +
        `connections, ${refused} posts refused meanwhile`,
    );
    expect(follower.seen).toEqual(written.map((id, index) => ({ place: String(index + 1), id })));
    expect(await servers.verify()).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  },
);
