import { afterEach, expect, test } from '@jest/globals';
import { call, message, result } from '../model/store.ts';
import { closeServers, errorSummary, startServer } from './server.ts';

afterEach(closeServers);

test('creates a trace with the given fields and defaults', async () => {
  const { post, get } = await startServer();

  const created = await post('traces', { run: 'exp-1', environment: 'countdown', task_spec: { n: 1 }, tags: ['a'] });

  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({
    run: 'exp-1',
    status: 'running',
    tags: ['a'],
    block_count: 0,
    reward_sum: null,
  });
  expect(created.json.task_key).toMatch(/^[0-9a-f]{64}$/);
  expect((await get(`traces/${created.json.id}`)).json).toEqual(created.json);
});

test('returns the existing trace for the same id and fields, and a conflict for other fields', async () => {
  const { post } = await startServer();

  const [first, again, other] = [
    await post('traces', { id: 'tr_a', run: 'one' }),
    await post('traces', { run: 'one', id: 'tr_a', name: null }),
    await post('traces', { id: 'tr_a', run: 'two' }),
  ];

  expect([first.status, again.status, errorSummary(other)]).toEqual([201, 200, '409 TRACE_ID_CONFLICT']);
});

test('creates one trace for the same Idempotency-Key, and rejects the key with another body', async () => {
  const { post, get } = await startServer();

  const responses = await Promise.all(
    Array.from({ length: 8 }, () => post('traces', { run: 'one' }, { 'Idempotency-Key': 'k1' })),
  );
  const other = await post('traces', { run: 'two' }, { 'Idempotency-Key': 'k1' });

  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1);
  expect(errorSummary(other)).toBe('422 IDEMPOTENCY_MISMATCH');
  expect((await get('traces')).json.traces).toHaveLength(1);
});

test.each([
  [{ foo: 1 }, '422 unknown_field'],
  [{ id: 'x' }, '422 pattern'],
  [{ step: -1 }, '422 minimum'],
  [{ status: 'done' }, '422 enum'],
  [{ created_at: '2025-01-01T00:00:00.000000Z' }, '422 unknown_field'],
  [[], '422 type'],
  ['{"step": 12345678901234567890}', '422 type'],
  ['{', '400 BAD_JSON'],
])('rejects a trace of %j: %s', async (body, expected) => {
  const { post, get } = await startServer();

  expect(errorSummary(await post('traces', body))).toBe(expected);
  expect((await get('traces')).json.traces).toEqual([]);
});

test('creates continuations of traces, and lists them by their parent', async () => {
  const { post, patch, get } = await startServer();
  const ids = async (query: string) =>
    (await get(`traces?order=asc&${query}`)).json.traces.map(({ id }: { id: string }) => id);
  await post('traces', { id: 'tr_a', run: 'r', environment: 'e', task_index: 0 });
  await post('traces/tr_a/blocks', message({ extra: { reward: 1 } }));

  const child = { id: 'tr_b', run: 'r', environment: 'e', task_index: 0, parent_trace_id: 'tr_a', parent_calls: 2 };
  const created = await post('traces', child);
  await post('traces/tr_b/blocks', message({ extra: { reward: 0 } }));

  expect(created).toMatchObject({ status: 201, json: { parent_trace_id: 'tr_a', parent_calls: 2 } });
  expect([await ids('parent=tr_a'), await ids('has_parent=false'), await ids('run=r')]).toEqual([
    ['tr_b'],
    ['tr_a'],
    ['tr_a', 'tr_b'],
  ]);
  const { summaries } = (await get('trace-summaries?run=r')).json;
  expect(summaries.map(({ id }: { id: string }) => id)).toEqual(['tr_a']);
  expect((await get('runs/r/stats')).json.run).toMatchObject({ trace_count: 1, reward: { mean: 1 } });
  const search = (await get('search?query=parent:%3Dtr_a')).json;
  expect(search.traces.map(({ id }: { id: string }) => id)).toEqual(['tr_b']);
  expect(errorSummary(await post('traces', { parent_calls: 1 }))).toBe('422 parent');
  expect(errorSummary(await post('traces', { id: 'tr_c', parent_trace_id: 'tr_c' }))).toBe('422 parent');
  expect(errorSummary(await patch('traces/tr_b', { parent_calls: 3 }))).toBe('422 unknown_field');
});

test('allows changes of name, status, tags and metadata only', async () => {
  const { post, patch } = await startServer();
  await post('traces', { id: 'tr_a', run: 'one' });

  const changed = await patch('traces/tr_a', { name: 'n', status: 'finished', tags: ['t'], metadata: { note: 'x' } });

  expect(changed.json).toMatchObject({ name: 'n', status: 'finished', tags: ['t'], metadata: { note: 'x' } });
  expect(changed.json.finished_at).toBe(changed.json.updated_at);
  expect(errorSummary(await patch('traces/tr_a', { run: 'two' }))).toBe('422 unknown_field');
  expect(errorSummary(await patch('traces/tr_a', {}))).toBe('422 minProperties');
  expect(errorSummary(await patch('traces/tr_b', { name: 'n' }))).toBe('404 TRACE_NOT_FOUND');
});

test('deletes a trace and its blocks permanently', async () => {
  const { post, get, remove } = await startServer();
  await post('traces', { id: 'tr_a' });
  await post('traces/tr_a/blocks', message({ id: 'tb_1' }));

  expect((await remove('traces/tr_a')).status).toBe(204);

  for (const path of ['traces/tr_a', 'traces/tr_a/blocks', 'traces/tr_a/blocks/tb_1', 'traces/tr_a/blocks.stitched']) {
    expect(errorSummary(await get(path))).toBe('410 TRACE_DELETED');
  }
  expect(errorSummary(await post('traces', { id: 'tr_a' }))).toBe('410 TRACE_DELETED');
  expect(errorSummary(await post('traces/tr_a/blocks', message()))).toBe('410 TRACE_DELETED');
  expect((await get('traces')).json.traces).toEqual([]);
});

test('updates the counters of a trace with its blocks', async () => {
  const { post, get } = await startServer();
  await post('traces', { id: 'tr_a' });
  const failed = { call_id: 'call_1', output: { ok: false, error: 'no' } };
  await post('traces/tr_a/blocks', {
    blocks: [
      message({ id: 'tb_msg123' }),
      call({ id: 'tb_call123' }),
      result({ extra: { reward: 0.5 } }),
      result({ extra: { reward: -1 } }),
      result({ payload: failed, extra: { reward: null } }),
    ],
  });

  expect((await get('traces/tr_a')).json).toMatchObject({
    block_count: 5,
    reward_sum: -0.5,
    reward_last: -1,
    reward_max: 0.5,
    reward_count: 2,
    error_count: 1,
  });
});

test('filters, sorts and pages lists, with each trace exactly once', async () => {
  const { post, get } = await startServer();
  for (let index = 0; index < 25; index++) {
    const id = `tr_${index}`;
    await post('traces', { id, run: `r${index % 2}`, step: index % 5, tags: [`t${index % 3}`], name: `Name ${index}` });
    await post(`traces/${id}/blocks`, message({ extra: index % 4 === 0 ? null : { reward: index % 7 } }));
  }

  const pages: string[][] = [];
  let cursor = '';
  do {
    const { json } = await get(`traces?sort=reward&limit=4&run=r1${cursor}`);
    pages.push(json.traces.map(({ id }: { id: string }) => id));
    cursor = json.page.next_cursor === null ? '' : `&cursor=${json.page.next_cursor}`;
  } while (cursor !== '');

  const all = (await get('traces?sort=reward&run=r1')).json.traces;
  expect(pages.flat()).toEqual(all.map(({ id }: { id: string }) => id));
  expect(new Set(pages.flat()).size).toBe(12);
  const rewards = all.map(({ reward_sum }: { reward_sum: number | null }) => reward_sum ?? -1);
  expect(rewards).toEqual([...rewards].sort((one, other) => other - one));
  const count = async (query: string) => (await get(`traces?${query}`)).json.traces.length;
  expect(await count('tag=t1')).toBe(8);
  expect(await count('step=2&run=r0')).toBe(3);
  expect(await count('reward_min=6')).toBe(2);
  expect(await count('q=name%201')).toBe(11);
  expect(await count('q=%25')).toBe(0);
  expect(await count('has_error=true')).toBe(0);
  expect(await count('status=running&limit=3')).toBe(3);
});

test.each([
  'limit=0',
  'limit=x',
  'limit=1001',
  'limit=1&limit=2',
  'sort=name',
  'status=done',
  'reward_min=a',
  'limt=5',
])('rejects a list with ?%s', async (query) => {
  const { get } = await startServer();

  const { status, json } = await get(`traces?${query}`);

  expect([status, json.error.code]).toEqual([422, 'VALIDATION']);
  expect(json.error.details.issues[0].path).toMatch(/^\/query\/\w+$/);
});

test('rejects a cursor of another list', async () => {
  const { post, get } = await startServer();
  for (const id of ['tr_a', 'tr_b']) await post('traces', { id });
  const { json } = await get('traces?limit=1');

  expect(errorSummary(await get(`traces?limit=1&sort=length&cursor=${json.page.next_cursor}`))).toBe('422 cursor');
  expect(errorSummary(await get('traces?cursor=abc'))).toBe('422 cursor');
});

test('returns mean, deviation and advantages of groups, and histograms of runs by step', async () => {
  const { post, get } = await startServer();
  for (const [index, reward] of [0, 1, 1, 1, 1].entries()) {
    const task = index < 3 ? 'a' : 'b';
    await post('traces', { id: `tr_${index}`, run: 'exp/1', task_spec: { task }, step: 0, rollout_index: index });
    await post(`traces/tr_${index}/blocks`, message({ extra: { reward } }));
  }

  const { groups } = (await get('groups?run=exp/1&sort=std')).json;
  const stats = (await get('runs/exp%2F1/stats?bins=2')).json;

  expect(groups).toHaveLength(2);
  expect(groups[0].reward.mean).toBeCloseTo(2 / 3);
  expect(groups[0].members.map(({ advantage }: { advantage: number }) => advantage)).toEqual([
    expect.closeTo(-Math.SQRT2),
    expect.closeTo(Math.SQRT1_2),
    expect.closeTo(Math.SQRT1_2),
  ]);
  expect(groups[1].members.map(({ advantage }: { advantage: number }) => advantage)).toEqual([0, 0]);
  expect(stats).toMatchObject({ edges: [0, 0.5, 1], histogram: [1, 4], steps: [{ step: 0, trace_count: 5 }] });
  expect((await get('runs')).json.runs).toMatchObject([{ run: 'exp/1', trace_count: 5, reward: { mean: 0.8 } }]);
  expect(errorSummary(await get('runs/none/stats'))).toBe('404 NOT_FOUND');
  expect((await get('runs/exp%2F1/stats?reward_min=1')).json.run.trace_count).toBe(4);
  expect((await get('runs?details=true&pass=0.5')).json.runs[0].details.passed).toBe(4);
});

test.each([
  [{ name: 'a'.repeat(2_000) }, '/name must be of no more than 1024 characters, not a string'],
  [{ tags: [1] }, '/tags/0 must be string, not an integer'],
  [{ colour: 1 }, '/colour must be left out, not an integer'],
  [{ id: '' }, expect.stringMatching(/^\/id must be (of no fewer|a text of the pattern)/)],
])('describes why a new trace is invalid: %#', async (trace, sentence) => {
  const { post } = await startServer();

  const { status, json } = await post('traces', trace);

  expect([status, json.error.message]).toEqual([422, sentence]);
});

test('summarizes traces for statistics: rewards, usage, numbers of the metadata, and the times of an import', async () => {
  const { post, get } = await startServer();
  const imported = { created_at: '2020-01-01T00:00:00Z', finished_at: '2020-01-01T00:00:02.5Z' };
  await post('traces', {
    ...{ id: 'tr_1', run: 'r', environment: 'maze', task_index: 3, step: 2, model: 'm', group_id: 'g' },
    metadata: { usage: { prompt_tokens: 30, completion_tokens: 12, note: 'x' }, loss: 0.5, imported },
    rollout_info: { loss: 0.25, total_cost: 0.125, flag: true, list: [1] },
  });
  await post('traces/tr_1/blocks', message({ extra: { reward: 0.75 } }));
  await post('traces', { id: 'tr_2', run: 'r' });

  const list = await get('trace-summaries?run=r&sort=created&order=asc&limit=1');
  const rest = await get(`trace-summaries?run=r&sort=created&order=asc&limit=1&cursor=${list.json.page.next_cursor}`);

  expect(list.json.summaries).toEqual([
    {
      ...{ id: 'tr_1', run: 'r', environment: 'maze', split: null, task_index: 3, task_key: null, group_key: 'g' },
      ...{ step: 2, model: 'm', status: 'running', reward: 0.75, block_count: 1, error_count: 0 },
      ...{ tokens: 42, cost: 0.125 },
      values: { loss: 0.25, total_cost: 0.125, 'usage.prompt_tokens': 30, 'usage.completion_tokens': 12 },
      created_at: '2020-01-01T00:00:00.000000Z',
      finished_at: '2020-01-01T00:00:02.500000Z',
    },
  ]);
  expect(rest.json.summaries).toMatchObject([{ id: 'tr_2', reward: null, tokens: null, group_key: null, values: {} }]);
  expect((await get('trace-summaries?run=r&reward_min=1')).json.summaries).toEqual([]);
});
