import { expect, jest, test } from '@jest/globals';
import { type CallResult, OrsClient } from 'ors-kit/client';
import { runs } from '../support/fast-check.ts';
import { makeText } from './fidelity-text.ts';
import { describeWithPython, hasPython, packages } from './python.ts';
import { type Relay, startRelay } from './relay.ts';
import { serveCounting } from './servers/own-servers.ts';
import { serveWithPython } from './servers/python-servers.ts';

// With ORS_TEST_RUNS=100, connections break after each of 20,000 bytes.
jest.setTimeout(300_000);

/** Arguments of a tool call whose answer of 20 KB spans several events. */
const input = { seed: 9, length: 7_700 };
const expected = makeText(input.seed, input.length);
const sessions = 32;

/** Distance between the bytes of the headers and the first event after which connections break: 1 with ORS_TEST_RUNS=1. */
const HEAD_STEP = Math.max(1, Math.round(4 / runs(4)));
/** Distance after that, because the other events are alike. */
const STEP = Math.max(1, Math.round(388 / runs(4)));
const bytesToBreakAfter = (length: number): number[] =>
  Array.from({ length: length + 1 }, (_, byte) => byte).filter(
    (byte) => byte % (byte < 600 ? HEAD_STEP : STEP) === 0 || byte === length,
  );

const withPython = hasPython() ? packages.map((name) => ({ name, start: () => serveWithPython(name) })) : [];

test('returns every result of our server wherever its connection breaks, and runs the tool once', async () => {
  await using server = await serveCounting();
  await using relay = await startRelay(server.url);
  await using client = new OrsClient(relay.url, { retry: { firstDelayMs: 1 } });
  const length = await lengthOfAnswer(client, relay);
  const bytes = bytesToBreakAfter(length);
  // Four connections of each call break, which is quicker than a call for each byte.
  const calls = await callWithBreaks(client, inGroups(bytes, 4));

  expect(length).toBeGreaterThan(20_000);
  expect(relay.broken.length).toBe(bytes.length);
  expect(calls.filter(({ result }) => result.text !== expected || result.reward !== 0.5 || result.repeated)).toEqual(
    [],
  );
  const counts = await runsByKey(client);
  expect(calls.filter(({ key }) => counts[key] !== 1)).toEqual([]);
});

describeWithPython().each(packages)('a server of %s', (name) => {
  test('returns every result wherever its connection breaks, and says whether the tool may have run twice', async () => {
    await using server = await serveWithPython(name);
    await using relay = await startRelay(server.url);
    await using client = new OrsClient(relay.url, { retry: { firstDelayMs: 1 } });
    const length = await lengthOfAnswer(client, relay);
    const bytes = bytesToBreakAfter(length);

    const calls = await callWithBreaks(client, inGroups(bytes, 1));

    expect(length).toBeGreaterThan(20_000);
    expect(relay.broken.length).toBe(bytes.length);
    expect(calls.filter(({ result }) => result.text !== expected || result.reward !== 0.5)).toEqual([]);
    const counts = await runsByKey(client);
    expect(calls.filter(({ key, result }) => counts[key] !== (result.repeated ? 2 : 1))).toEqual([]);
    // Up to the end of its first event an answer does not name the call: of some 300 bytes of headers and 50 more.
    const repeated = calls.filter(({ result }) => result.repeated).length;
    expect(repeated * HEAD_STEP).toBeGreaterThan(250);
    expect(repeated * HEAD_STEP).toBeLessThan(400);
  });
});

test.each([{ name: 'this project', start: serveCounting }, ...withPython])(
  'an episode opens once, wherever in the answer of a server of $name the connection breaks',
  async ({ start }) => {
    await using server = await start();
    await using relay = await startRelay(server.url);
    await using client = new OrsClient(relay.url, { retry: { firstDelayMs: 1 } });
    const keys = Array.from({ length: 120 / HEAD_STEP }, (_, index) => `byte-${index * HEAD_STEP}:create`);

    const texts = await Promise.all(
      keys.map(async (key) => {
        await using session = await client.environment('wire').session({ task: { label: key, key } });
        return (await session.call('text', { seed: 1, length: 10, key })).text;
      }),
    );

    expect(texts).toEqual(keys.map(() => makeText(1, 10)));
    expect(relay.broken.length).toBe(keys.length);
    const counts = await runsByKey(client);
    expect(keys.filter((key) => counts[`setup ${key}`] !== 1 || counts[key] !== 1)).toEqual([]);
  },
);

const openSession = (client: OrsClient) => client.environment('wire').session({ split: 'test', index: 0 });

/** The bytes of an answer whose connection does not break. */
async function lengthOfAnswer(client: OrsClient, relay: Relay): Promise<number> {
  await using session = await openSession(client);
  const key = 'byte-1000000:probe';
  await session.call('text', { ...input, key });
  return relay.lengthOf(key) ?? 0;
}

interface Call {
  readonly key: string;
  readonly result: CallResult;
}

/** Makes a call per list, in several concurrent sessions. Its connections break after the listed numbers of bytes. */
async function callWithBreaks(client: OrsClient, groups: readonly number[][]): Promise<Call[]> {
  // All players take from one iterator.
  const left = groups.values();
  const play = async () => {
    await using session = await openSession(client);
    const calls: Call[] = [];
    for (const places of left) {
      const key = `byte-${places.join(',')}:break`;
      calls.push({ key, result: await session.call('text', { ...input, key }) });
    }
    return calls;
  };
  return (await Promise.all(Array.from({ length: sessions }, play))).flat();
}

const inGroups = (places: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(places.length / size) }, (_, index) => places.slice(index * size, (index + 1) * size));

async function runsByKey(client: OrsClient): Promise<Record<string, number>> {
  await using session = await openSession(client);
  return JSON.parse((await session.call('all_runs')).text);
}
