/** Records an episode of countdown, and replays it without countdown. */
import assert from 'node:assert/strict';
import { replayEnvironment } from 'ors-kit/bridges/replay';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { play } from 'ors-kit/testing';
import { createTraceClient, recordEpisode } from 'ors-kit/trace';
import { createMemoryStore, serveTraces } from 'ors-kit/trace/server';
import { pino } from 'pino';
import countdown from '../countdown/environment.ts';

const task = { numbers: [25, 3, 9, 8], target: 672 };
await using store = createMemoryStore();
await using api = await serveTraces({ store, port: 0 });
await using traces = createTraceClient({ url: api.url });
const trace = traces.createTrace({ environment: 'countdown', task_spec: task });

/** Plays an episode, and returns all responses. */
async function playEpisode(url: string, record: boolean): Promise<unknown[]> {
  await using client = new OrsClient(url);
  const opened = await client.environment('countdown').session({ task });
  await using session = record ? recordEpisode(opened, trace) : opened;
  const responses: unknown[] = [await session.prompt(), await session.tools()];
  responses.push(await session.call('evaluate', { expression: '25 * 25' }).catch(({ message }) => message));
  responses.push(await session.call('submit', { expression: '(25 * 3 + 9) * 8' }));
  return responses;
}

const log = pino({ level: 'silent' });
await using original = await serve([countdown], { port: 0, log });
const recorded = await playEpisode(original.url, true);
await traces.flush();

const environment = await replayEnvironment(await traces.readTrace(trace.id));
await using replayed = await serve([environment], { port: 0, log });
assert.deepEqual(await playEpisode(replayed.url, false), recorded);

await using other = await play(environment, { task });
await assert.rejects(other.call('submit', { expression: '25' }), /differs from the recording/);
const outputs = await other.solve();
assert.equal(outputs.at(-1)?.reward, 1);
console.log(`replay: the same ${recorded.length} responses. Reward ${outputs.at(-1)?.reward}.`);
