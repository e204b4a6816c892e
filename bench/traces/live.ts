import { decodeEvents } from '../../src/sse/index.ts';
import { createTraceClient } from '../../src/trace/client/index.ts';
import { blocksOf } from './bodies.ts';
import type { Engine } from './engine.ts';
import { quantile, seconds, serve, serveEcho } from './place.ts';
import type { Row } from './row.ts';

const SUBSCRIBERS = 100;
const APPENDS = 100;
/** Until the code of both sides is compiled. */
const WARM = 20;

/** T5: from the append to the event, with 100 who follow the trace, beside a server that sends on what it is sent. */
export async function tail(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  await served.post('traces', { id: 'tr_live' });
  const [stream, blocks] = [`${served.url}/v1/organizations/default/traces/tr_live/stream`, 'traces/tr_live/blocks'];
  const store = await followedBy(stream, (block) => served.post(blocks, block));
  await using echo = await serveEcho(database);
  const bare = await followedBy(echo.url, (block) => echo.post(block));
  const [ours, others] = [quantile(store, 0.99), quantile(bare, 0.99)];
  const name = 'from an append to its event, 100 followers, p99 ms';
  return [
    { name, better: 'less', figures: { store: ours, 'a bare echo': others } },
    { mark: 'T5', name: `${name} beyond a bare echo`, better: 'less', figures: { store: ours - others }, atMost: 20 },
  ];
}

type Block = ReturnType<typeof blocksOf>[number];

/** How many milliseconds each block took to each follower, once all of them follow. */
async function followedBy(url: string, send: (block: Block) => Promise<unknown>): Promise<readonly number[]> {
  const sent = new Map<string, number>();
  const delays: number[] = [];
  const abort = new AbortController();
  const bodies = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, async () => {
      const { body } = await fetch(url, { signal: abort.signal });
      if (!body) throw new Error('no stream');
      return body;
    }),
  );
  const readAll = async (body: ReadableStream<Uint8Array>) => {
    let [blocks, last] = [0, 'nothing'];
    for await (const { event, data } of decodeEvents(body)) {
      last = `${event} ${data}`;
      if (event !== 'block') continue;
      blocks++;
      delays.push(performance.now() - (sent.get(JSON.parse(data).id) ?? Number.NaN));
      if (delays.length === SUBSCRIBERS * (WARM + APPENDS)) return;
    }
    throw new Error(`a stream of ${url} has ended after ${blocks} blocks, and last said ${last.slice(0, 500)}`);
  };
  // Whoever has read the last one ends for all, and so does whoever fails.
  const followed = Promise.race(bodies.map(readAll));
  const sendAll = async () => {
    for (const block of blocksOf('live', WARM + APPENDS)) {
      sent.set(block.id, performance.now());
      await send(block);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all([followed, sendAll()]).finally(() => abort.abort());
  return delays.slice(SUBSCRIBERS * WARM);
}

const LOGGED = 20_000;

/** T9: what logging costs the agent, a block. */
export async function logging(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  await using traces = createTraceClient({ url: served.url });
  const trace = traces.createTrace({});
  const logged = await seconds(() => {
    for (let index = 0; index < LOGGED; index++) trace.logMessage({ role: 'user', content: `message ${index}` });
  });
  const whole = await seconds(() => traces.flush());
  const { failed } = await traces.flush();
  if (failed.length > 0) throw new Error(`${failed.length} were not logged`);
  return [
    {
      mark: 'T9',
      name: 'to log a block, us of the agent',
      better: 'less',
      figures: { 'the SDK': (1e6 * logged) / LOGGED },
      atMost: 20,
    },
    {
      name: `until ${LOGGED.toLocaleString('en')} logged blocks are on disk, s`,
      better: 'less',
      figures: { store: whole },
    },
  ];
}
