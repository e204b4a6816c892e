import { expect, test } from '@jest/globals';
import { loadModel, modelAgent } from '../../../src/rollout/index.ts';
import { fixture } from '../../support/environment.ts';
import { startProvider } from './fake-provider.ts';
import { playEpisode, stageModel } from './stage.ts';
import type { FakeAnswer } from './wire.ts';

const { math } = fixture();
const solve: FakeAnswer = { calls: [{ name: 'submit', input: { answer: '4' } }] };
const nameless: FakeAnswer = { calls: [{ name: '' }] };

test('sends a correction to a model whose call has no name', async () => {
  await using stage = await stageModel([nameless, solve]);

  const { report } = await playEpisode(math, stage.agent);

  expect(report).toMatchObject({ stop: 'finished', turns: 2 });
  expect(stage.requests[1]?.body.messages.at(-1)).toEqual({
    role: 'user',
    content: expect.stringMatching(/^Your call could not be parsed because it names no tool; the tools are: .*submit/),
  });
});

test('ends the episode after three consecutive calls without a name', async () => {
  await using stage = await stageModel([nameless, nameless, nameless, solve]);

  const { report } = await playEpisode(math, stage.agent);

  expect(report).toMatchObject({ stop: 'malformed_arguments', turns: 3 });
});

test('reports the delay before each retry with its reason', async () => {
  const waits: (readonly [number, string])[] = [];
  const busy = { status: 429, headers: { 'retry-after-ms': '20' }, body: { error: { message: 'slow down' } } };
  await using stage = await stageModel([busy, solve], { onWait: (ms, reason) => waits.push([ms, reason]) });

  await playEpisode(math, stage.agent);

  expect(waits).toEqual([[expect.any(Number), 'slow down (status 429)']]);
  expect(waits[0]?.[0]).toBeGreaterThanOrEqual(20);
});

test('waits for the backoff if Retry-After is shorter', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' }, body: { error: { message: 'slow down' } } };
  const waits: number[] = [];
  await using stage = await stageModel([busy, busy, solve], { onWait: (ms) => waits.push(ms) });

  await playEpisode(math, stage.agent);

  expect(waits).toHaveLength(2);
  expect(waits[0]).toBeGreaterThanOrEqual(250);
  expect(waits[1]).toBeGreaterThanOrEqual(500);
});

test('honors Retry-After for at most ten minutes, and until an interrupt', async () => {
  const never = { status: 429, headers: { 'retry-after': '999999999' }, body: { error: { message: 'come back' } } };
  const waits: number[] = [];
  const stop = new AbortController();
  await using stage = await stageModel([never], { onWait: (ms) => stop.abort(waits.push(ms)) });

  const played = playEpisode(math, stage.agent, { signal: stop.signal });

  await expect(played).rejects.toBe(1);
  expect(waits[0]).toBeGreaterThanOrEqual(600_000);
  expect(waits[0]).toBeLessThanOrEqual(660_000);
});

test('sends the query of the base URL with every request', async () => {
  await using provider = await startProvider([solve], ['fake-1']);
  const model = await loadModel('fake-1', { baseUrl: `${provider.url}?api-version=7&sig=hidden-signature` });

  const { report } = await playEpisode(math, modelAgent({ model }));

  expect(report).toMatchObject({ stop: 'finished' });
  expect(provider.requests.map(({ path }) => path)).toEqual([
    '/v1/chat/completions?api-version=7&sig=hidden-signature',
  ]);
  expect(model.secrets).toEqual(['hidden-signature']);
});
