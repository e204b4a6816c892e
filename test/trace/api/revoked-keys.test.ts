import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { issueKey, serveTraces } from '../../../src/trace/api/index.ts';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import { openPostgresStore, openSqliteStore, type TraceStore } from '../../../src/trace/store/index.ts';
import { testUnless } from '../../support/optional.ts';
import { withDeadline } from '../../support/until.ts';
import { message } from '../model/store.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { postgresMissing, startPostgres } from '../store/postgres-server.ts';
import { newFolder, sqliteMissing } from '../store/stores.ts';

const TRACES = '/v1/organizations/acme/traces';

/** Starts a server with two keys of one organization, and a trace with blocks of 30 KB. */
async function startWithKeys(store: TraceStore, blockCount = 0) {
  const server = await serveTraces({ store, port: 0, needsKeys: true });
  const [lost, kept] = [await newKey('lost'), await newKey('kept')];
  const send = (key: { secret: string }, path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { 'X-API-Key': key.secret, 'Content-Type': 'application/json' },
    });
  async function newKey(name: string) {
    return await issueKey(store, { org: 'acme', name, scopes: ['read', 'write'] });
  }
  await store.createTrace('acme', { id: 'tr_a', run: 'r' });
  const block = message({ payload: { role: 'user', content: 'x'.repeat(30_000) } });
  for (let left = blockCount; left > 0; left -= 25) {
    await store.append('acme', 'tr_a', { body: { blocks: Array(25).fill(block) }, limits: readTraceLimits({}) });
  }
  /** Sends a request, and reads only the head of the response. */
  async function stall({ secret }: { secret: string }, path: string): Promise<IncomingMessage> {
    const request = get(server.url + path, { headers: { 'X-API-Key': secret } });
    const [response] = (await withDeadline(once(request, 'response'), `the response to ${path}`)) as [IncomingMessage];
    // `complete` also shows that the response was cut off.
    response.on('error', () => {});
    return response;
  }
  return { url: server.url, lost, kept, send, stall, [Symbol.asyncDispose]: () => server.close() };
}

const readerOf = ({ body }: Response) => (body as ReadableStream<Uint8Array>).getReader();

/** Reads to the end and returns the text and whether the connection was cut. */
async function drain(reader: ReturnType<typeof readerOf>): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text, isCut: false };
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return { text, isCut: true };
  }
}

/** Counts the bytes until the end, or until the connection is cut. */
async function lengthOf(response: IncomingMessage): Promise<number> {
  let length = 0;
  response.on('data', (chunk: Uint8Array) => {
    length += chunk.length;
  });
  const closed = new Promise((resolve) => response.once('close', resolve));
  if (!response.closed) await withDeadline(closed, 'the end of an unread response');
  return length;
}

const isEnded = (promise: Promise<unknown>, ms: number) =>
  Promise.race([promise.then(() => true), delay(ms).then(() => false)]);

type Running = Awaited<ReturnType<typeof startWithKeys>>;

/** Expects an error event in the stream of the revoked key, and that the stream of the other key continues. */
async function expectClosed({ lost, kept, send }: Running, revoke: (id: string) => Promise<unknown>): Promise<void> {
  const follow = async (key: { secret: string }) => readerOf(await send(key, `${TRACES}/tr_a/stream?after=1000`));
  const [quiet, other] = [await follow(lost), await follow(kept)];
  await Promise.all([quiet, other].map((reader) => reader.read()));
  const ends = drain(quiet);

  await revoke(lost.key.id);

  const last = await withDeadline(ends, 'the end of the stream of the lost key');
  const event = JSON.parse(/event: error\ndata: (.*)/.exec(last.text)?.[1] ?? 'null');
  expect([last.isCut, event?.error.code]).toEqual([false, 'UNAUTHENTICATED']);
  expect((await send(lost, TRACES)).status).toBe(401);
  await send(kept, `${TRACES}/tr_a/blocks`, { method: 'POST', body: JSON.stringify(message()) });
  expect((await withDeadline(other.read(), 'a block for the kept key')).done).toBe(false);
  await other.cancel();
}

test('ends the streams of a key when it is revoked, and continues those of other keys', async () => {
  await using store = await openTestStore();
  await using running = await startWithKeys(store);

  await expectClosed(running, (id) => store.revokeKey(id));
});

test('cuts off unread responses of a revoked key, and keeps those of other keys', async () => {
  await using store = await openTestStore();
  await using running = await startWithKeys(store, 1_000);
  const { lost, kept, stall } = running;
  const paths = [`${TRACES}/tr_a/stream`, '/v1/organizations/acme/runs/r/export'];
  const stalled = await Promise.all(paths.map((path) => stall(lost, path)));
  const other = await stall(kept, `${TRACES}/tr_a/stream?after=1000`);
  const otherEnds = once(other, 'close');

  await store.revokeKey(lost.key.id);

  // A stream can still send the error, if it is read within a second.
  for (const response of stalled) expect(await lengthOf(response)).toBeLessThan(30_000_000);
  expect(stalled[1]?.complete).toBe(false);
  expect(await isEnded(otherEnds, 1_500)).toBe(false);
  other.destroy();
});

testUnless(sqliteMissing)('ends the streams of a key that another process revokes in the SQLite file', async () => {
  await using folder = await newFolder();
  const path = join(folder.path, 'traces.db');
  await using store = await openSqliteStore({ path });
  await using other = await openSqliteStore({ path });
  await using running = await startWithKeys(store);

  await expectClosed(running, (id) => other.revokeKey(id));
});

testUnless(postgresMissing)('ends the streams of a key that another process revokes in PostgreSQL', async () => {
  await using server = await startPostgres();
  const url = await server.newUrl();
  await using store = await openPostgresStore({ url });
  await using other = await openPostgresStore({ url });
  await using running = await startWithKeys(store);

  await expectClosed(running, (id) => other.revokeKey(id));
});

test('does not start a stream whose key is revoked during admission', async () => {
  await using whole = await openTestStore();
  let revoke: (() => Promise<unknown>) | undefined;
  const store: TraceStore = {
    ...whole,
    async findKey(sha256) {
      const key = await whole.findKey(sha256);
      const pending = revoke;
      revoke = undefined;
      await pending?.();
      return key;
    },
  };
  await using running = await startWithKeys(store);
  const { lost, send } = running;

  revoke = () => whole.revokeKey(lost.key.id);
  const { status } = await send(lost, `${TRACES}/tr_a/stream`);

  expect(status).toBe(401);
});

test('cuts off an import that is being received when its key is revoked, and writes nothing', async () => {
  await using whole = await openTestStore();
  let onLookup: (() => void) | undefined;
  const store: TraceStore = {
    ...whole,
    async findKey(sha256) {
      const key = await whole.findKey(sha256);
      onLookup?.();
      return key;
    },
  };
  await using running = await startWithKeys(store);
  const { lost, kept, send, url } = running;
  const line = (count: number) => `${JSON.stringify({ trace: { id: `tr_import${count}` }, blocks: [] })}\n`;
  const admitted = new Promise<void>((resolve) => {
    onLookup = resolve;
  });
  const upload = request(`${url}/v1/organizations/acme/import`, {
    method: 'POST',
    headers: { 'X-API-Key': lost.secret, 'Content-Type': 'application/x-ndjson' },
  });
  const ending = new Promise((resolve) => {
    upload.once('response', ({ statusCode }) => resolve(statusCode)).once('error', () => resolve('cut'));
  });
  upload.write(line(0));
  await withDeadline(admitted, 'the lookup of the key');
  await delay(100);

  await whole.revokeKey(lost.key.id);
  // A client notices a closed connection when it writes.
  for (let count = 1; count <= 500 && !upload.destroyed; count++) {
    upload.write(line(count));
    await delay(20);
  }
  upload.end();

  expect(await withDeadline(ending, 'the end of the upload')).toBe('cut');
  const found = await (await send(kept, TRACES)).json();
  expect(found.traces.map(({ id }: { id: string }) => id)).toEqual(['tr_a']);
});
