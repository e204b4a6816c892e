import { afterEach, expect, test } from '@jest/globals';
import { call, message, result } from '../model/store.ts';
import { closeServers, errorSummary, startServer } from './server.ts';

afterEach(closeServers);

/** Starts a server with the traces tr_0 to tr_2; each has a message, a call of bash and its result. */
async function startFilled() {
  const server = await startServer();
  for (const index of [0, 1, 2]) {
    const id = `tr_${index}`;
    const input = { id, run: 'r', model: index === 2 ? 'large' : 'small', metadata: { index } };
    await server.store.createTrace('default', input, 1_700_000_000_000 + index);
    const name = { payload: { name: 'bash', arguments: {} } };
    const output = index === 1 ? { ok: false, error: 'no such file' } : '\u001b[1mdone\u001b[0m';
    await server.post(`traces/${id}/blocks`, {
      blocks: [
        message({ id: `tb_m${index}` }),
        call({ id: `tb_c${index}`, parent_block_id: `tb_m${index}`, ...name }),
        result({ id: `tb_r${index}`, parent_block_id: `tb_c${index}`, payload: { output }, extra: { reward: index } }),
      ],
    });
  }
  const search = (query: string, more = '') => server.get(`search?query=${encodeURIComponent(query)}${more}`);
  return { ...server, search };
}

test('finds blocks with their traces', async () => {
  const { search, get } = await startFilled();

  const { status, json } = await search('tool:bash kind:result');
  const first = (await search('tool:bash kind:result', '&limit=1')).json;
  const next = (await search('tool:bash kind:result', `&limit=1&cursor=${first.page.next_cursor}`)).json;

  expect(status).toBe(200);
  expect(json.hits.map(({ text, tool, error }: Record<string, string>) => [text, tool, error])).toEqual([
    ['done', 'bash', null],
    ['no such file', 'bash', 'no such file'],
    ['done', 'bash', null],
  ]);
  expect(json.traces[0]).toEqual((await get('traces/tr_2')).json);
  expect(json.traces).toHaveLength(3);
  expect(json.page.next_cursor).toBeNull();
  expect([...first.hits, ...next.hits]).toEqual(json.hits.slice(0, 2));
  expect(next.traces.map(({ id }: { id: string }) => id)).toEqual(['tr_1']);
});

test('finds traces if the query is about traces only', async () => {
  const { search } = await startFilled();

  const { json } = await search('model:small -meta.index:0');

  expect([json.hits, json.traces.map(({ id }: { id: string }) => id)]).toEqual([[], ['tr_1']]);
});

test('reports the position of a problem, and what to write', async () => {
  const { search } = await startFilled();

  const { status, json } = await search('tool:bash reward:>abc');

  expect([status, json.error.code]).toEqual([422, 'VALIDATION']);
  expect(json.error.details.issues).toEqual([
    {
      path: '/query',
      rule: 'query',
      expected: 'a number at character 18 (for example reward:>0.5)',
      got: '">abc"',
    },
  ]);
});

test('selects runs, statistics, summaries and groups by a query', async () => {
  const { get } = await startFilled();
  const query = encodeURIComponent('error:true model:small');
  const read = async (path: string, more = '') => (await get(`${path}${more}query=${query}`)).json;
  const refused = await Promise.all(
    ['runs?', 'runs/r/stats?', 'trace-summaries?', 'groups?'].map((path) => get(`${path}query=reward:high`)),
  );

  const all = (await get('traces?has_error=true&model=small')).json.traces;
  expect(all).toHaveLength(1);
  expect((await read('trace-summaries?')).summaries.map(({ id }: { id: string }) => id)).toEqual([all[0].id]);
  expect((await read('runs?')).runs).toMatchObject([{ run: 'r', trace_count: 1 }]);
  expect(await read('runs/r/stats?')).toMatchObject({ run: { trace_count: 1 }, steps: [{ trace_count: 1 }] });
  expect((await read('groups?')).groups).toEqual([]);
  expect(refused.map(errorSummary)).toEqual(Array.from({ length: 4 }, () => '422 query'));
});

test('rejects a search without a query, and a cursor of another list', async () => {
  const { get, search } = await startFilled();
  const { page } = (await search('tool:bash', '&limit=1')).json;

  expect(errorSummary(await get('search'))).toBe('422 parameter');
  expect(errorSummary(await search('x', '&limit=201'))).toBe('422 parameter');
  expect(errorSummary(await search('model:small', `&cursor=${page.next_cursor}`))).toBe('422 cursor');
});

test('lists and exports the traces of a query, which has no text', async () => {
  const { get, url } = await startFilled();
  const exported = async (path: string) => {
    const text = await (await fetch(`${url}/v1/organizations/default/${path}`)).text();
    const lines = text.trim().split('\n');
    return lines.flatMap((line) => JSON.parse(line).trace?.id ?? []);
  };
  const query = encodeURIComponent('reward:>=1 -model:large');

  const { json } = await get(`traces?query=${query}&run=r`);
  const refused = await get(`traces?query=${encodeURIComponent('model:small error:file')}`);

  expect(json.traces.map(({ id }: { id: string }) => id)).toEqual(['tr_1']);
  expect(await exported(`export?query=${query}`)).toEqual(['tr_1']);
  expect(await exported(`runs/r/export?query=${query}`)).toEqual(['tr_1']);
  expect((await get(`traces?query=${encodeURIComponent('tool:bash error:true')}`)).json.traces).toEqual(
    (await get('traces?has_error=true')).json.traces,
  );
  expect(errorSummary(refused)).toBe('422 query');
  expect(refused.json.error.details.issues[0].expected).toMatch(/^fields only at character 13/);
});
