import { afterEach, expect, test } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { createStoreTarget, importTraces } from '../../../src/trace/api/import.ts';
import { parseTraceFilter, readTraceLimits } from '../../../src/trace/model/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';
import { message } from '../model/store.ts';
import { closeServers, startServer } from './server.ts';

afterEach(closeServers);

const ROWS = [
  { id: 'tr_0', task_index: 0, model: 'a', reward: 0 },
  { id: 'tr_1', task_index: 0, model: 'a', reward: 1 },
  { id: 'tr_2', task_index: 0, model: 'b', reward: 2 },
  { id: 'tr_3', task_index: 1, model: 'a', reward: 0.5, tags: ['=late'], metadata: { level: 'hard', sub: { n: 3 } } },
  { id: 'tr_4', task_index: 1, model: 'a' },
];

/** Starts a server with the traces of `ROWS` in the run `r`; the score `quality` of each is its position. */
async function startFilled() {
  const server = await startServer();
  for (const [index, { reward, ...input }] of ROWS.entries()) {
    await server.store.createTrace('default', { ...input, run: 'r' }, 1_700_000_000_000 + index);
    const blocks = [
      message({ id: `tb_q${index}` }),
      message({
        id: `tb_a${index}`,
        payload: { role: 'assistant', content: `é ${index}` },
        extra: reward === undefined ? null : { reward },
      }),
    ];
    await server.post(`traces/${input.id}/blocks`, { blocks });
    await server.post('scores', { trace_id: input.id, name: 'quality', value: index });
  }
  const read = (query: Record<string, string>) =>
    fetch(`${server.url}/v1/organizations/default/export?${new URLSearchParams(query)}`);
  return { ...server, read };
}

test.each([
  ['a model', { model: 'b' }, ['tr_2']],
  ['conditions', { where: 'reward>=0.5 and model=a' }, ['tr_1', 'tr_3']],
  ['a condition on metadata', { where: "metadata.sub.n=3 && tag~'late'" }, ['tr_3']],
  ['a condition on scores', { where: 'score.quality>2' }, ['tr_3', 'tr_4']],
  ['a score', { score: 'quality>=3' }, ['tr_3', 'tr_4']],
  ['the best of each group', { best: '1' }, ['tr_1', 'tr_2', 'tr_3']],
  ['the best of each task', { best: '1', per: 'task' }, ['tr_2', 'tr_3']],
  ['the two best of all', { best: '2', per: 'all' }, ['tr_1', 'tr_2']],
  ['the best that match', { best: '1', per: 'task', where: 'reward<2' }, ['tr_1', 'tr_3']],
] as const)('exports the traces selected by %s', async (_what, query, expected) => {
  const { read } = await startFilled();

  const lines = (await (await read(query)).text()).trim().split('\n');

  const ids = lines.map((line) => JSON.parse(line)).flatMap(({ trace }) => (trace ? [trace.id] : []));
  expect(ids).toEqual(expected);
});

test('exports continuations with their parent, but never as the best', async () => {
  const { read, store, post } = await startFilled();
  const input = { id: 'tr_b', run: 'r', task_index: 0, model: 'a', parent_trace_id: 'tr_1', parent_calls: 3 };
  await store.createTrace('default', input);
  await post('traces/tr_b/blocks', message({ id: 'tb_b', extra: { reward: 9 } }));
  const text = async (query: Record<string, string>) => (await read(query)).text();

  const exported = await text({ where: 'parent=tr_1' });
  const table = (await text({ format: 'csv', parent: 'tr_1' })).split('\r\n').map((row) => row.split(','));
  const best = await text({ best: '1', per: 'all' });
  const others = await text({ has_parent: 'false' });
  await using other = createMemoryStore();
  const limits = readTraceLimits({});
  const chunks = (async function* () {
    yield exported;
  })();
  for await (const _ of importTraces(createStoreTarget(other, 'default', limits), {
    text: chunks,
    format: 'auto',
    limits,
  }));

  const position = table[0]?.indexOf('parent_trace_id') ?? -1;
  expect(table[1]?.slice(position, position + 2)).toEqual(['tr_1', '3']);
  expect(JSON.parse(best.split('\n')[0] ?? '').trace.id).toBe('tr_2');
  expect(others).not.toContain('tr_b');
  expect(await other.trace('default', 'tr_b')).toMatchObject({ parent_trace_id: 'tr_1', parent_calls: 3 });
});

test.each(['reward', 'reward>', 'unknown=1', 'reward>=1 or step=1', ''])('rejects the condition %j', (text) => {
  expect(parseTraceFilter(text)).toEqual({ expected: expect.any(String), got: expect.any(String) });
});

test('responds to an invalid condition with 422', async () => {
  const { read } = await startFilled();

  const response = await read({ where: 'nothing=1' });

  expect(response.status).toBe(422);
});

test('exports a table as CSV', async () => {
  const { read } = await startFilled();

  const response = await read({ format: 'csv', model: 'b' });
  const lines = (await response.text()).split('\r\n');

  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="traces.csv"');
  expect(lines[0]).toMatch(/^id,name,run,.*,scores,tools,messages$/);
  expect(lines[1]).toMatch(/^tr_2,,r,/);
  expect(lines[1]).toContain('""content"":""é 2""');
  expect(lines).toHaveLength(3);
});

test('exports a table as Parquet, which another library reads', async () => {
  const { read } = await startFilled();

  const response = await read({ format: 'parquet', run: 'r' });
  const rows = await parquetReadObjects({ file: await response.arrayBuffer() });

  expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
  expect(rows.map(({ id, reward_sum, step }) => [id, reward_sum, step])).toEqual([
    ['tr_0', 0, null],
    ['tr_1', 1, null],
    ['tr_2', 2, null],
    ['tr_3', 0.5, null],
    ['tr_4', null, null],
  ]);
  expect(rows[3]).toMatchObject({
    run: 'r',
    task_index: 1n,
    block_count: 2n,
    tags: '["=late"]',
    metadata: '{"level":"hard","sub":{"n":3}}',
    created_at: new Date(1_700_000_000_003),
    messages: [
      { role: 'user', content: "what's the weather?", tool_calls: null },
      { role: 'assistant', content: 'é 3' },
    ],
  });
  expect(JSON.parse(rows[3]?.scores)).toEqual([expect.objectContaining({ name: 'quality', value: 3 })]);
});

test('writes an empty table with its columns', async () => {
  const { read } = await startFilled();

  const csv = await (await read({ format: 'csv', run: 'none' })).text();
  const rows = await parquetReadObjects({ file: await (await read({ format: 'parquet', run: 'none' })).arrayBuffer() });

  expect(csv.split('\r\n')).toHaveLength(2);
  expect(rows).toEqual([]);
});
