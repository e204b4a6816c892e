import { decodeEvents } from '../../src/sse/index.ts';
import { createTraceClient } from '../../src/trace/client/index.ts';
import { blocksOf } from './bodies.ts';
import type { Engine } from './engine.ts';
import { quantile, seconds, serve } from './place.ts';
import type { Row } from './row.ts';

const SUBSCRIBERS = 100;
const APPENDS = 100;

/** T5: from the append to the event, with 100 who follow the trace. */
export async function tail(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  await served.post('traces', { id: 'tr_live' });
  const sent = new Map<string, number>();
  const delays: number[] = [];
  const abort = new AbortController();
  const url = `${served.url}/v1/organizations/default/traces/tr_live/stream`;
  const followers = Array.from({ length: SUBSCRIBERS }, async () => {
    const { body } = await fetch(url, { signal: abort.signal });
    if (!body) throw new Error('no stream');
    for await (const { event, data } of decodeEvents(body)) {
      if (event !== 'block') continue;
      delays.push(performance.now() - (sent.get(JSON.parse(data).id) ?? Number.NaN));
      if (delays.length === SUBSCRIBERS * APPENDS) abort.abort();
    }
  });
  const ended = Promise.allSettled(followers);
  for (const block of blocksOf('live', APPENDS)) {
    sent.set(block.id, performance.now());
    await served.post('traces/tr_live/blocks', block);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await ended;
  return [
    {
      mark: 'T5',
      name: 'from an append to its event, 100 followers, p99 ms',
      better: 'less',
      figures: { store: quantile(delays, 0.99) },
      atMost: 20,
    },
  ];
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
