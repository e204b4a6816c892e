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

const UNKNOWN = ['multi_tool_use.parallel', 'functions.submit:0', 'a b', 'x'.repeat(100), 'réponse'];

test.each([
  ['compatible', /^[a-zA-Z0-9_-]{1,64}$/],
  ['anthropic', /^[a-zA-Z0-9_-]{1,64}$/],
  ['responses', /^[a-zA-Z0-9_-]{1,64}$/],
] as const)('returns calls of unknown tools to the provider by names that it accepts (%s)', async (via, accepted) => {
  await using stage = await stageModel([{ calls: UNKNOWN.map((name) => ({ name, input: {} })) }, solve], { via });

  const { report, trace } = await playEpisode(math, stage.agent, { traced: true });

  expect(report).toMatchObject({ stop: 'finished', turns: 2 });
  const sent = JSON.stringify(stage.requests[1]?.body);
  const names = [...sent.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(UNKNOWN.length);
  for (const name of names) expect(name).toMatch(accepted);
  // The model reads the name that it wrote, and the trace has it too.
  for (const name of UNKNOWN)
    expect(sent).toContain(JSON.stringify(`Unknown tool ${JSON.stringify(name)};`).slice(1, -1));
  expect(trace?.messages[1]?.tool_calls.map(({ payload }) => payload.name)).toEqual(UNKNOWN);
  expect(report?.messages?.[0]?.blocks.map((block) => 'name' in block && block.name)).toEqual(UNKNOWN);
});

test('gives calls of a server that repeats its ids in every response their own ids', async () => {
  const call = { name: 'nothing', input: {}, id: 'call_0' };
  await using stage = await stageModel([{ calls: [call] }, { calls: [call] }, solve]);

  await playEpisode(math, stage.agent);

  const { messages } = stage.requests[2]?.body ?? {};
  const ids = (messages as { tool_calls?: { id: string }[] }[]).flatMap(({ tool_calls = [] }) =>
    tool_calls.map(({ id }) => id),
  );
  expect(ids).toEqual(['call_0', 'call_0_2']);
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
