import { afterEach, expect, test } from '@jest/globals';
import type { Block, RunStats } from '../../../generated/trace.ts';
import type { TraceStore } from '../../../src/trace/store/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { until } from '../../support/until.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { allBlocks, closeServers, errorSummary, startServer } from './server.ts';

afterEach(closeServers);

const started = {
  eventType: 'rollout',
  eventId: 'r1',
  timestamp: 1,
  runName: 'exp',
  rolloutName: 'first',
  split: 'test',
};

const message = (index: number, type: string, content: string | null, parts: object = {}) => ({
  eventType: 'message',
  eventId: `m${index}`,
  rolloutEventId: 'r1',
  timestamp: 1,
  index,
  type,
  content,
  ...parts,
});

const EPISODE = [
  message(0, 'system_message', 'You play.'),
  message(1, 'user_message', 'Go.'),
  message(2, 'reasoning', null, { summary: 'thinking' }),
  message(3, 'assistant_message', ''),
  message(4, 'tool_call', '{"a": 1}', { name: 'look', callId: 'c1' }),
  message(5, 'tool_call', 'no json', { name: 'look', callId: 'c2' }),
  message(6, 'tool_result', 'two', { callId: 'c2', reward: 0.25 }),
  message(7, 'tool_result', 'one', { callId: 'c1', reward: 0.5, metadata: { k: 'v' } }),
  message(8, 'assistant_message', 'Done.', { isFinished: true }),
];

const IN_ORDER = [
  ['tb_m0', 'MESSAGE', null],
  ['tb_m1', 'MESSAGE', null],
  ['tb_m2', 'THINK', 'tb_m1'],
  ['tb_m3', 'MESSAGE', null],
  ['tb_m4', 'TOOL_CALL', 'tb_m3'],
  ['tb_m5', 'TOOL_CALL', 'tb_m3'],
  ['tb_m6', 'TOOL_RESULT', 'tb_m5'],
  ['tb_m7', 'TOOL_RESULT', 'tb_m4'],
  ['tb_m8', 'MESSAGE', null],
];

const placesOf = (blocks: readonly Block[]) =>
  blocks.map(({ id, sub_type, parent_block_id }) => [id, sub_type, parent_block_id]);

test('stores a rollout as a trace, and its flat messages as a tree', async () => {
  const { post, get } = await startServer();
  await post('/v1/rollouts', { events: [started] });

  const { json } = await post('/v1/rollouts', { events: EPISODE });

  expect(json).toEqual({ accepted: 9 });
  const blocks = await allBlocks(get, 'tr_r1');
  expect(placesOf(blocks)).toEqual(IN_ORDER);
  expect(blocks.map(({ payload }) => payload)).toMatchObject([
    { role: 'system', content: 'You play.' },
    { role: 'user', content: 'Go.' },
    { text: 'thinking' },
    { role: 'assistant', content: [{ type: 'text', text: '' }] },
    { name: 'look', call_id: 'c1', arguments: { a: 1 } },
    { name: 'look', call_id: 'c2', arguments: { $invalid_json: 'no json' } },
    { output: 'two' },
    { output: 'one' },
    { role: 'assistant', content: 'Done.' },
  ]);
  expect(blocks[7]?.extra).toMatchObject({ reward: 0.5, metadata: { k: 'v' }, index: 7 });
  expect((await get('traces/tr_r1')).json).toMatchObject({
    run: 'exp',
    name: 'first',
    status: 'finished',
    reward_sum: 0.75,
  });
});

test('stores the step of a rollout', async () => {
  const { post, get } = await startServer();
  const begun = (eventId: string, step: object) => ({ ...started, eventId, ...step });
  const events = [begun('r1', { step: 12 }), begun('r2', { step: null }), begun('r3', {})];

  await post('/v1/rollouts', { events });

  const { json } = await get('runs/exp/stats');
  expect(json.steps.map(({ step, trace_count }: RunStats['steps'][number]) => [step, trace_count])).toEqual([
    [12, 1],
    [null, 2],
  ]);
});

test('stores the same blocks in the same order for batches in any order, and for repeated ones', async () => {
  const batches = fc
    .shuffledSubarray([...EPISODE, ...EPISODE.slice(3, 6)], { minLength: EPISODE.length + 3 })
    .chain((events) => fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }).map((sizes) => split(events, sizes)));
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const { post, get, close } = await startServer();
      await post('/v1/rollouts', { events: [started] });

      const responses = await Promise.all(all.map((events) => post('/v1/rollouts', { events })));

      expect(responses.map(({ status }) => status)).toEqual(all.map(() => 200));
      expect(placesOf(await allBlocks(get, 'tr_r1'))).toEqual(IN_ORDER);
      await close();
    }),
    { numRuns: runs(8) },
  );
});

function split<T>(events: readonly T[], sizes: readonly number[]): T[][] {
  const batches: T[][] = [];
  let at = 0;
  for (const size of sizes) {
    if (at < events.length) batches.push(events.slice(at, at + size + 1));
    at += size + 1;
  }
  if (at < events.length) batches.push(events.slice(at));
  return batches;
}

test('neither loses nor repeats messages if the store fails to settle them', async () => {
  const store = await openTestStore();
  let failures = 1;
  const failing = {
    ...store,
    settleEvents: async (...args: Parameters<TraceStore['settleEvents']>) => {
      if (failures-- > 0) throw new Error('the disk failed');
      return store.settleEvents(...args);
    },
  };
  const { post, get } = await startServer({ store: failing, onError: () => {} });
  await post('/v1/rollouts', { events: [started] });

  expect((await post('/v1/rollouts', { events: EPISODE.slice(0, 6) })).status).toBe(500);
  expect((await post('/v1/rollouts', { events: EPISODE.slice(6) })).status).toBe(200);

  expect(placesOf(await allBlocks(get, 'tr_r1'))).toEqual(IN_ORDER);
});

test('writes a message whose id is used in another rollout', async () => {
  const { post, get } = await startServer();
  const other = { ...started, eventId: 'r2' };
  await post('/v1/rollouts', { events: [started, other, ...EPISODE] });

  const stolen = EPISODE.slice(0, 2).map((event) => ({ ...event, rolloutEventId: 'r2' }));
  expect((await post('/v1/rollouts', { events: stolen })).status).toBe(200);

  const blocks = await allBlocks(get, 'tr_r2');
  expect(blocks.map(({ payload }) => payload)).toMatchObject([{ content: 'You play.' }, { content: 'Go.' }]);
});

/** Reads the blocks of tr_r1 until there are this many. */
const untilWritten = (get: Parameters<typeof allBlocks>[0], count: number): Promise<Block[]> =>
  until(async () => {
    const blocks = await allBlocks(get, 'tr_r1');
    return blocks.length >= count && blocks;
  }, `${count} blocks in tr_r1`);

test('keeps messages after a gap, and writes them when the wait ends', async () => {
  const { post, get } = await startServer({ gapMs: 2_000 });
  await post('/v1/rollouts', { events: [started, message(0, 'user_message', 'Go.')] });
  await post('/v1/rollouts', { events: [message(2, 'tool_result', 'seen', { callId: 'lost' })] });
  expect(await allBlocks(get, 'tr_r1')).toHaveLength(1);

  const blocks = await untilWritten(get, 3);

  expect(blocks[1]).toMatchObject({ sub_type: 'TOOL_CALL', payload: { name: 'unknown' }, extra: { inferred: true } });
  expect(blocks[2]).toMatchObject({ payload: { output: 'seen' }, parent_block_id: blocks[1]?.id });
});

test('keeps messages after a gap across a restart', async () => {
  const first = await startServer();
  await first.post('/v1/rollouts', { events: [started] });
  await first.post('/v1/rollouts', { events: [message(1, 'user_message', 'later')] });
  await first.close();

  const second = await startServer({ store: first.store });
  const blocks = await untilWritten(second.get, 1);

  expect(blocks[0]).toMatchObject({ id: 'tb_m1', payload: { content: 'later' } });
});

test('stores a message that is too large for a block completely', async () => {
  const { post, get } = await startServer();
  const [long, huge] = ['é'.repeat(100_000), 'x'.repeat(3 * 1024 * 1024)];
  const events = [
    started,
    message(0, 'user_message', long),
    message(1, 'tool_call', '{}', { name: 'look', callId: 'c1' }),
    message(2, 'tool_result', huge, { callId: 'c1', reward: 1 }),
  ];

  expect((await post('/v1/rollouts', { events })).status).toBe(200);

  const { json } = await get('traces/tr_r1/blocks.stitched?assemble=true');
  const [{ payload, tool_calls }] = json.messages;
  expect(payload.content[0]).toMatchObject({ type: 'text_ref', bytes: 200_000 });
  expect(tool_calls[0].assembled).toEqual({ state: 'complete', value: huge, gaps: [] });
  expect(json.trace.reward_sum).toBe(1);
  const exported = await get('traces/tr_r1/export?format=openai');
  expect(exported.json.messages).toMatchObject([{ content: long }, { tool_calls: [{ id: 'c1' }] }, { content: huge }]);
});

test('adds fields with a rollout update', async () => {
  const { post, get } = await startServer();
  const update = { eventType: 'rollout_update', eventId: 'r1', rollout_info: { temperature: 0.7 } };
  await post('/v1/rollouts', { events: [started, update, { ...update, rollout_info: { harness: 'x' } }] });

  expect((await get('traces/tr_r1')).json.rollout_info).toEqual({ temperature: 0.7, harness: 'x' });
});

test.each([
  [{ events: [message(0, 'user_message', 'x')] }, '404 TRACE_NOT_FOUND'],
  [{ events: [{ eventType: 'rollout' }] }, '422 event'],
  [{ events: 'x' }, '422 events'],
  [{}, '422 events'],
])('rejects %j: %s', async (body, expected) => {
  const { post } = await startServer();

  expect(errorSummary(await post('/v1/rollouts', body))).toBe(expected);
});

test('returns runs and rollouts in the format of the OpenReward command line', async () => {
  const { post, get } = await startServer();
  await post('/v1/rollouts', { events: [started, ...EPISODE] });
  const later = { ...started, eventId: 'r2', runName: 'a/b', timestamp: Date.now() + 1_000 };
  await post('/v1/rollouts', { events: [later] });

  expect((await get('/v1/runs?search=exp')).json).toMatchObject({
    runs: [{ id: 'exp', name: 'exp', num_rollouts: 1, avg_rollout_reward: 0.75, avg_rollout_length: 9 }],
    total: 1,
  });
  expect((await get('/v1/runs?limit=1&offset=1')).json).toMatchObject({ runs: [{ id: 'exp' }], total: 2 });
  expect((await get('/v1/runs/a%2Fb')).json).toMatchObject({ id: 'a/b', avg_rollout_reward: null });
  expect((await get('/v1/runs/exp/rollouts')).json).toMatchObject({
    rollouts: [{ id: 'r1', rolloutName: 'first', max_reward: 0.5, num_messages: 9 }],
    total: 1,
  });
  expect(errorSummary(await get('/v1/runs/none'))).toBe('404 NOT_FOUND');
});

test('returns the messages of a rollout as they were logged, to resume it', async () => {
  const { post, get } = await startServer();
  await post('/v1/rollouts', { events: [started, ...EPISODE] });

  const { status, json } = await get('/v1/rollouts/r1');

  const none = { content: null, name: null, callId: null, contentReference: null, summary: null };
  expect(status).toBe(200);
  expect(json.messages).toEqual([
    { ...none, index: 0, type: 'system_message', content: 'You play.' },
    { ...none, index: 1, type: 'user_message', content: 'Go.' },
    { ...none, index: 2, type: 'reasoning', summary: 'thinking' },
    { ...none, index: 3, type: 'assistant_message', content: '' },
    { ...none, index: 4, type: 'tool_call', content: '{"a":1}', name: 'look', callId: 'c1' },
    { ...none, index: 5, type: 'tool_call', content: 'no json', name: 'look', callId: 'c2' },
    { ...none, index: 6, type: 'tool_result', content: 'two', callId: 'c2' },
    { ...none, index: 7, type: 'tool_result', content: 'one', callId: 'c1' },
    { ...none, index: 8, type: 'assistant_message', content: 'Done.' },
  ]);
  expect(errorSummary(await get('/v1/rollouts/none'))).toBe('404 TRACE_NOT_FOUND');
});

test('returns a message of a rollout that is stored as a blob whole, and leaves out inferred ones', async () => {
  const { post, get } = await startServer();
  const long = 'é'.repeat(100_000);
  const events = [started, message(0, 'tool_result', 'x', { callId: 'lost' }), message(1, 'user_message', long)];
  await post('/v1/rollouts', { events });

  const { messages } = (await get('/v1/rollouts/r1')).json;

  expect(messages.map(({ type }: { type: string }) => type)).toEqual(['tool_result', 'user_message']);
  expect(messages[1].content === long).toBe(true);
});
