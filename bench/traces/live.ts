import { decodeEvents } from '../../src/sse/index.ts';
import { createTraceClient } from '../../src/trace/client/index.ts';
import { percentile } from '../statistics.ts';
import type { Engine } from './engine.ts';
import { type SampleBlock, sampleBlocks } from './sample-blocks.ts';
import type { StoreRow } from './store-measure.ts';
import { seconds, serve, serveEcho } from './trace-server.ts';

const FOLLOWERS = 100;
const APPENDS = 100;
const WARM_UP_APPENDS = 20;

/** T5: latency from an append to its event, with 100 followers, relative to a server that only forwards. */
export async function tail(engine: Engine): Promise<StoreRow[]> {
  await using database = await engine.create();
  await using server = await serve(database);
  await server.post('traces', { id: 'tr_live' });
  const stream = `${server.url}/v1/organizations/default/traces/tr_live/stream`;
  const ours = percentile(await measureEvents(stream, (block) => server.post('traces/tr_live/blocks', block)), 0.99);
  await using echo = await serveEcho(database);
  const bare = percentile(await measureEvents(echo.url, (block) => echo.post(block)), 0.99);
  const name = 'from an append to its event, 100 followers, p99 ms';
  return [
    { name, better: 'less', figures: { store: ours, 'bare echo': bare } },
    { mark: 'T5', name: `${name} above the bare echo`, better: 'less', figures: { store: ours - bare }, atMost: 20 },
  ];
}

/** @returns the latency of each block to each follower in milliseconds, without those of the warm-up. */
async function measureEvents(url: string, send: (block: SampleBlock) => Promise<unknown>): Promise<readonly number[]> {
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  const abort = new AbortController();
  const bodies = await Promise.all(
    Array.from({ length: FOLLOWERS }, async () => {
      const { body } = await fetch(url, { signal: abort.signal });
      if (!body) throw new Error('no stream');
      return body;
    }),
  );
  const follow = async (body: ReadableStream<Uint8Array>) => {
    let blocks = 0;
    let last = 'nothing';
    for await (const { event, data } of decodeEvents(body)) {
      last = `${event} ${data}`;
      if (event !== 'block') continue;
      blocks++;
      latencies.push(performance.now() - (sentAt.get(JSON.parse(data).id) ?? Number.NaN));
      if (latencies.length === FOLLOWERS * (WARM_UP_APPENDS + APPENDS)) return;
    }
    throw new Error(`a stream of ${url} ended after ${blocks} blocks; its last event was ${last.slice(0, 500)}`);
  };
  // The follower that reads the last event, or the first one that fails, ends all of them.
  const followed = Promise.race(bodies.map(follow));
  const sendAll = async () => {
    for (const block of sampleBlocks('live', WARM_UP_APPENDS + APPENDS)) {
      sentAt.set(block.id, performance.now());
      await send(block);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all([followed, sendAll()]).finally(() => abort.abort());
  return latencies.slice(FOLLOWERS * WARM_UP_APPENDS);
}

const LOGGED = 20_000;

/** T9: time that logging a block takes in the agent. */
export async function logging(engine: Engine): Promise<StoreRow[]> {
  await using database = await engine.create();
  await using server = await serve(database);
  await using traces = createTraceClient({ url: server.url });
  const trace = traces.createTrace({});
  const logged = await seconds(() => {
    for (let index = 0; index < LOGGED; index++) trace.logMessage({ role: 'user', content: `message ${index}` });
  });
  const flushed = await seconds(() => traces.flush());
  const { failed } = await traces.flush();
  if (failed.length > 0) throw new Error(`${failed.length} blocks were not stored`);
  return [
    {
      mark: 'T9',
      name: 'time in the agent to log a block, us',
      better: 'less',
      figures: { 'the SDK': (1e6 * logged) / LOGGED },
      atMost: 20,
    },
    {
      name: `until ${LOGGED.toLocaleString('en')} logged blocks are on disk, s`,
      better: 'less',
      figures: { store: flushed },
    },
  ];
}
