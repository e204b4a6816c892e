import { expect, test } from '@jest/globals';
import type { openJournal as OpenJournal } from 'ors-kit/journal';
import { pino } from 'pino';
import { loadEnvironments, serve } from '../hosting/built.ts';
import { call, create, request } from '../support/client.ts';
import { until } from '../support/until.ts';
import { textOf } from './servers.ts';

const BUILT = new URL('../../dist/src/journal/index.js', import.meta.url);
const { openJournal }: { openJournal: typeof OpenJournal } = await import(BUILT.href);
const MODULE = new URL('../hosting/modules/durable.mjs', import.meta.url);

/** A server with a journal whose sessions share one worker. */
async function serveInWorker() {
  const journal = await openJournal(':memory:');
  const environments = await loadEnvironments([MODULE], { isolation: 'worker', threads: 1 });
  const server = await serve(environments, { port: 0, log: pino({ level: 'silent' }), journal });
  const ping = async (sid: string, headers: Record<string, string> = {}) => {
    const { status, body } = await request(server, 'POST', '/ping', { sid, headers });
    return [status, body.detail];
  };
  return {
    open: (secrets: Readonly<Record<string, string>> = {}) =>
      create(server, { env_name: 'durable', split: 'train', index: 0, secrets }),
    count: async (sid: string) => textOf(await call(server, sid, 'count', {}, { environment: 'durable' })),
    call: (sid: string, tool: string) =>
      call(server, sid, tool, {}, { environment: 'durable', taskId: tool, mayBeCut: true }).catch(() => undefined),
    ping,
    async [Symbol.asyncDispose]() {
      await server.close();
      await journal.close();
    },
  };
}

test.each(['exit', 'exit_again'])('brings the sessions of a worker back that a call of %s has ended', async (tool) => {
  await using server = await serveInWorker();
  const [one, neighbour] = [await server.open(), await server.open()];
  await server.count(one);
  await server.count(neighbour);

  const result = await until(async () => (await server.call(one, tool))?.result);

  expect(result).toMatchObject({ ok: false, reason: 'interrupted' });
  expect([await server.count(one), await server.count(neighbour)]).toEqual(['2', '2']);
});

test('ends a session that ends its worker each time it comes back', async () => {
  await using server = await serveInWorker();
  const [fatal, other] = [await server.open({ fatal: 'yes' }), await server.open()];
  await server.count(fatal);

  await server.call(other, 'exit');
  const secrets = Buffer.from(JSON.stringify({ fatal: { value: 'yes' } })).toString('base64');

  expect(await server.ping(fatal, { 'X-Secrets': secrets })).toEqual([410, 'Session lost: its worker ended']);
});
