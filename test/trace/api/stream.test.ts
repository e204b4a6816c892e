import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import type { Block } from '../../../generated/trace.ts';
import { follow as followTrace } from '../../../src/trace/api/follow.ts';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import type { TraceStore } from '../../../src/trace/store/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { until, withDeadline } from '../../support/until.ts';
import { message, result, TRACE, think } from '../model/store.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { allBlocks, closeServers, errorSummary, startConversation, startServer } from './server.ts';

afterEach(closeServers);

interface Received {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
  readonly data: any;
}

/** Follows a trace; `next` waits for an event, `until` returns all events up to one of a type. */
async function follow(url: string, query = '', headers: Record<string, string> = {}) {
  const cut = new AbortController();
  const response = await fetch(`${url}/v1/organizations/default/traces/${TRACE}/stream${query}`, {
    headers,
    signal: cut.signal,
  });
  expect(response.status).toBe(200);
  const events: Received[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => events.push({ event, id, data: JSON.parse(data) }),
    onComment: (comment) => comments.push(comment),
  });
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let taken = 0;

  /** Returns undefined when the stream has ended. */
  const next = () => withDeadline(read(), 'an event of the stream');
  async function read(): Promise<Received | undefined> {
    while (events.length === taken) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      parser.feed(decoder.decode(value, { stream: true }));
    }
    return events[taken++];
  }
  async function until(isLast: (event: Received) => boolean): Promise<Received[]> {
    const found: Received[] = [];
    for (let event = await next(); event; event = await next()) {
      found.push(event);
      if (isLast(event)) return found;
    }
    throw new Error(`the stream ended after ${found.length} events`);
  }
  const commented = async () => {
    while (comments.length === 0) {
      const { done, value } = await withDeadline(reader.read(), 'a comment of the stream');
      if (done) throw new Error('the stream ended');
      parser.feed(decoder.decode(value, { stream: true }));
    }
    return comments;
  };
  return { response, next, until, commented, stop: () => cut.abort() };
}

const isTrace = ({ event }: Received) => event === 'trace';
const hasId = (id: string) => (event: Received) => event.data.id === id;
const idsOf = (events: readonly Received[]) =>
  events.filter(({ event }) => event === 'block').map(({ data }) => (data as Block).id);

test('streams existing blocks, the trace itself, and then new blocks', async () => {
  const { url, write, get } = await startConversation();
  const stream = await follow(url);

  const before = await stream.until(isTrace);
  await write({ blocks: [message({ id: 'tb_1' }), think({ id: 'tb_2' })] });
  const after = await stream.until(isTrace);

  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.response.headers.get('cache-control')).toContain('no-cache');
  expect(before.map(({ event, id }) => [event, id])).toEqual([
    ['block', '1'],
    ['block', '2'],
    ['trace', undefined],
  ]);
  expect(after.slice(0, 2).map(({ id, data }) => [id, data.id])).toEqual([
    ['3', 'tb_1'],
    ['4', 'tb_2'],
  ]);
  const blocks = [...before, ...after].filter(({ event }) => event === 'block').map(({ data }) => data);
  expect(blocks).toEqual(await allBlocks(get, TRACE));
  expect(after.at(-1)?.data).toEqual((await get(`traces/${TRACE}`)).json);
  stream.stop();
});

test('streams changes of status, name and rewards as events of the trace', async () => {
  const { url, write, patch } = await startConversation();
  const stream = await follow(url);
  await stream.until(isTrace);

  await write(result({ extra: { reward: 0.5 } }));
  const [, rewarded] = await stream.until(isTrace);
  await patch(`traces/${TRACE}`, { status: 'finished', name: 'done' });
  const [finished] = await stream.until(isTrace);

  expect(rewarded?.data).toMatchObject({ reward_sum: 0.5, block_count: 3, status: 'running' });
  expect(finished?.data).toMatchObject({ status: 'finished', name: 'done', block_count: 3 });
  stream.stop();
});

test.each<[what: string, query: string, headers: Record<string, string>, ids: string[]]>([
  ['?after', '?after=1', {}, ['tb_call123', 'tb_1']],
  ['Last-Event-ID', '', { 'Last-Event-ID': '2' }, ['tb_1']],
  ['Last-Event-ID before ?after', '?after=0', { 'Last-Event-ID': '2' }, ['tb_1']],
  ['?after where Last-Event-ID is from elsewhere', '?after=2', { 'Last-Event-ID': 'x-7' }, ['tb_1']],
  ['?after=0', '?after=0', {}, ['tb_msg123', 'tb_call123', 'tb_1']],
  ['a place that is not reached yet', '?after=3', {}, []],
  ['a place far away', `?after=${Number.MAX_SAFE_INTEGER}`, {}, []],
])('continues a stream after the position in %s', async (_what, query, headers, ids) => {
  const { url, write } = await startConversation();
  await write(message({ id: 'tb_1' }));

  const stream = await follow(url, query, headers);

  expect(idsOf(await stream.until(isTrace))).toEqual(ids);
  stream.stop();
});

test('ends the streams of a deleted trace with an event', async () => {
  const { url, remove } = await startConversation();
  const stream = await follow(url);
  await stream.until(isTrace);

  await remove(`traces/${TRACE}`);

  expect(await stream.next()).toMatchObject({ event: 'deleted', data: { error: { code: 'TRACE_DELETED' } } });
  expect(await stream.next()).toBeUndefined();
});

test('answers 404 for the stream of an unknown trace', async () => {
  const { get, remove } = await startConversation();

  expect(errorSummary(await get('traces/tr_none/stream'))).toBe('404 TRACE_NOT_FOUND');
  expect(errorSummary(await get(`traces/${TRACE}/stream?after=-1`))).toBe('422 parameter');
  expect(errorSummary(await get(`traces/${TRACE}/stream?after=x`))).toBe('422 parameter');
  await remove(`traces/${TRACE}`);
  expect(errorSummary(await get(`traces/${TRACE}/stream`))).toBe('410 TRACE_DELETED');
});

test('keeps a silent stream alive with comments', async () => {
  const { url } = await startConversation({ heartbeatMs: 20 });
  const stream = await follow(url);
  await stream.until(isTrace);

  expect((await stream.commented())[0]).toBeDefined();
  stream.stop();
});

test('ends all streams when the server closes', async () => {
  const { url, close } = await startConversation();
  const stream = await follow(url);
  await stream.until(isTrace);

  await close();

  await expect(stream.next()).rejects.toThrow('terminated');
});

/** Returns the events of a reader during writes that is disconnected and reconnects at each of `cuts`. */
async function readWithCuts(url: string, last: string, cuts: readonly number[]): Promise<Received[]> {
  const seen: Received[] = [];
  let place = '0';
  for (const [turn, length] of [...cuts, Number.POSITIVE_INFINITY].entries()) {
    const stream = turn % 2 ? await follow(url, `?after=${place}`) : await follow(url, '', { 'Last-Event-ID': place });
    for (let count = 0; count < length; ) {
      const event = await stream.next();
      if (!event) throw new Error('the stream ended');
      if (event.event !== 'block') continue;
      count++;
      seen.push(event);
      place = event.id ?? '';
      if (event.data.id === last) {
        stream.stop();
        return seen;
      }
    }
    stream.stop();
  }
  return seen;
}

test('delivers every block once and in order to a reader that reconnects anywhere during writes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 }),
      async (cuts, batches) => {
        const { url, write, get, close } = await startConversation();

        const reading = readWithCuts(url, 'tb_last', cuts);
        for (const size of batches) {
          await Promise.all([write({ blocks: Array.from({ length: size }, () => message()) }), write(think())]);
        }
        await write(message({ id: 'tb_last' }));
        const seen = await reading;

        expect(seen.map(({ id }) => Number(id))).toEqual(seen.map((_, index) => index + 1));
        expect(seen.map(({ data }) => data)).toEqual(await allBlocks(get, TRACE, 1000));
        await close();
      },
    ),
    { numRuns: runs(6) },
  );
});

/** Follows without reading. */
async function connectOnly(url: string): Promise<IncomingMessage> {
  const request = httpGet(`${url}/v1/organizations/default/traces/${TRACE}/stream`);
  const [response] = (await withDeadline(once(request, 'response'), 'the response')) as [IncomingMessage];
  response.pause();
  return response;
}

/** Counts the blocks that are read from a store, and the watchers of its traces. */
function counting(store: TraceStore) {
  const counts = { read: 0, watching: 0 };
  const counted: TraceStore = {
    ...store,
    async blocks(...args) {
      const found = await store.blocks(...args);
      counts.read += found.length;
      return found;
    },
    watch(...watched) {
      counts.watching++;
      const unwatch = store.watch(...watched);
      return () => {
        counts.watching--;
        unwatch();
      };
    },
  };
  return { store: counted, counts };
}

test('stops reading for a slow reader, which loses nothing', async () => {
  await using whole = await openTestStore();
  const { store, counts } = counting(whole);
  const { url, post, get } = await startServer({ store });
  await post('traces', { id: TRACE });
  const reader = await connectOnly(url);
  for (let at = 0; at < 60; at++) {
    const blocks = Array.from({ length: 20 }, (_, index) =>
      message({ id: `tb_${at * 20 + index}`, raw: 'x'.repeat(50_000) }),
    );
    await store.append('default', TRACE, { body: { blocks }, limits: readTraceLimits({}) });
  }
  // The server has handled another request after the last write.
  await get('/healthz');

  const readForNobody = counts.read;
  const seen: string[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => event === 'block' && seen.push(JSON.parse(data).id) });
  for await (const chunk of reader) {
    parser.feed(String(chunk));
    if (seen.at(-1) === 'tb_1199') break;
  }

  // 60 MB were written; sockets buffer a few MB.
  expect(readForNobody).toBeLessThan(700);
  expect(seen).toEqual(Array.from({ length: 1200 }, (_, index) => `tb_${index}`));
});

test('does not loop for a trace whose blocks were lost', async () => {
  await using whole = await openTestStore();
  const { store, counts } = counting(whole);
  let requested = 0;
  const damaged = { ...store, blocks: async () => (requested++ < 100 ? [] : store.blocks('default', TRACE)) };
  const { url, post, get } = await startServer({ store: damaged });
  await post('traces', { id: TRACE });
  await post(`traces/${TRACE}/blocks`, { blocks: [message()] });

  const request = httpGet(`${url}/v1/organizations/default/traces/${TRACE}/stream`);
  request.on('error', () => undefined);
  await until(() => counts.watching > 0, 'a follower of the trace');
  for (let count = 0; count < 5; count++) expect((await get('/healthz')).status).toBe(200);

  expect(requested).toBeLessThan(5);
  request.destroy();
});

test('leaves no watcher and no stream open after more than a hundred readers have disconnected', async () => {
  await using whole = await openTestStore();
  const { store, counts } = counting(whole);
  const { url, post } = await startServer({ store });
  await post('traces', { id: TRACE });
  await post(`traces/${TRACE}/blocks`, message({ id: 'tb_1' }));
  const open = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^ors_traces_streams_open (\d+)$/m.exec(text)?.[1]);
  };

  for (let round = 0; round < 4; round++) {
    const streams = await Promise.all(Array.from({ length: 40 }, () => follow(url)));
    if (round % 2) await Promise.all(streams.map((stream) => stream.until(isTrace)));
    if (round === 1) expect([counts.watching, await open()]).toEqual([40, 40]);
    for (const { stop } of streams) stop();
    if (round >= 2) await post(`traces/${TRACE}/blocks`, message());
    await until(async () => counts.watching === 0 && (await open()) === 0, 'the end of all watchers and streams');
  }

  expect([counts.watching, await open()]).toEqual([0, 0]);
  const stream = await follow(url);
  const events = await stream.until(isTrace);
  expect(events.at(-1)?.data).toMatchObject({ block_count: 3 });
  expect(events.filter(hasId('tb_1'))).toHaveLength(1);
  stream.stop();
});

test('does not share a read that started before the last change', async () => {
  await using store = await openTestStore();
  await store.createTrace('default', { id: TRACE });
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const blocks: TraceStore['blocks'] = async (...query) => {
    const found = await store.blocks(...query);
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    return found;
  };
  const slow = { ...store, blocks };
  let stop = () => {};
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  const open = () => followTrace(slow, { org: 'default', id: TRACE, after: 0 }, stopped);
  const [early, late] = [open(), open()];
  await Promise.all([early.next(), late.next()]);

  const nextOfEarly = early.next();
  isSlow = true;
  await store.updateTrace('default', TRACE, { name: 'read again' });
  await until(() => waiting.length > 0, 'a slow reading of the blocks');
  await store.append('default', TRACE, { body: message(), limits: readTraceLimits({}) });
  const next = late.next().then(({ value }) => value?.event);
  for (let turns = 0; turns < 20; turns++) await turn();
  isSlow = false;
  for (const resume of waiting) resume();

  const event = await Promise.race([next, delay(5_000, 'nothing', { ref: false })]);
  // The store must stay open during these reads.
  stop();
  await nextOfEarly;
  await Promise.all([early.return(undefined), late.return(undefined)]);

  expect(event).toBe('block');
});
