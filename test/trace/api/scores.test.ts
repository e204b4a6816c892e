import { afterEach, expect, test } from '@jest/globals';
import { issueKey } from '../../../src/trace/api/index.ts';
import { TRACE } from '../model/store.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { closeServers, createCaller, startConversation, startServer } from './server.ts';

afterEach(closeServers);

test('creates, lists and deletes scores, and leaves the trace as it is', async () => {
  const { get, post, send } = await startConversation();
  const before = (await get(`traces/${TRACE}`)).json;

  const created = await post('scores', { id: 'sc_1', trace_id: TRACE, name: 'quality', value: 0.5, label: 'fair' });
  const again = await post('scores', { id: 'sc_1', trace_id: TRACE, name: 'quality', value: 0.5, label: 'fair' });
  const ofBlock = await post('scores', {
    trace_id: TRACE,
    block_id: 'tb_call123',
    name: 'tool',
    comment: 'not needed',
  });

  expect([created.status, again.status, ofBlock.status]).toEqual([201, 200, 201]);
  expect(again.json).toEqual(created.json);
  expect((await get('scores?name=quality')).json).toEqual({ scores: [created.json], page: { next_cursor: null } });
  expect((await get(`scores?trace_id=${TRACE}`)).json.scores).toHaveLength(2);
  expect((await send('DELETE', 'scores/sc_1')).status).toBe(204);
  expect((await get(`scores?trace_id=${TRACE}`)).json.scores).toEqual([ofBlock.json]);
  expect((await get(`traces/${TRACE}`)).json).toEqual(before);
});

test.each([
  ['no target', { name: 'quality', value: 1 }, ['/trace_id']],
  ['two targets', { trace_id: TRACE, run: 'r', name: 'quality', value: 1 }, ['/trace_id']],
  ['a block without its trace', { run: 'r', block_id: 'tb_call123', name: 'quality', value: 1 }, ['/block_id']],
  ['no content', { trace_id: TRACE, name: 'quality', label: null }, ['/value']],
  ['a text as its value', { trace_id: TRACE, name: 'quality', value: '1' }, ['/value']],
  ['an unknown field', { trace_id: TRACE, name: 'quality', value: 1, rating: 2 }, ['/rating']],
])('rejects a score with %s', async (_what, body, paths) => {
  const { post } = await startConversation();

  const { status, json } = await post('scores', body);

  expect(status).toBe(422);
  expect(json.error.details.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
});

test.each([
  ['score=quality', ['tr_1', 'tr_2']],
  ['score=quality>=0.5', ['tr_2']],
  ['score=kind=wrong tool', ['tr_1']],
  ['sort=score:quality', ['tr_2', 'tr_1', 'tr_0']],
])('lists traces with ?%s', async (query, expected) => {
  const { get, post } = await startServer();
  for (const id of ['tr_0', 'tr_1', 'tr_2']) await post('traces', { id });
  for (const [id, value] of [
    ['tr_1', 0.25],
    ['tr_2', 0.75],
  ] as const) {
    await post('scores', { trace_id: id, name: 'quality', value });
  }
  await post('scores', { trace_id: 'tr_1', name: 'kind', label: 'wrong tool' });
  const [name = '', value = ''] = query.split(/=(.*)/s);

  const { json } = await get(
    `traces?${new URLSearchParams({ order: name === 'sort' ? 'desc' : 'asc', [name]: value })}`,
  );

  expect(json.traces.map(({ id }: { id: string }) => id)).toEqual(expected);
});

test('rejects an invalid condition on scores', async () => {
  const { get } = await startServer();

  const { status, json } = await get(`traces?score=${encodeURIComponent('quality>=good')}`);

  expect(status).toBe(422);
  expect(json.error.details.issues[0].path).toBe('/score');
});

test('notes the API key as the author, unless the request names one', async () => {
  const store = await openTestStore();
  const { url } = await startServer({ store, needsKeys: true });
  const { secret, key } = await issueKey(store, { org: 'lab', name: 'rater', scopes: ['read', 'write'] });
  const { post } = createCaller(url, { 'X-API-Key': secret }, 'lab');
  await post('traces', { id: TRACE });

  const own = await post('scores', { trace_id: TRACE, name: 'quality', value: 1 });
  const named = await post('scores', { trace_id: TRACE, name: 'quality', value: 1, author: 'ada' });

  expect([own.json.author, named.json.author]).toEqual([key.id, 'ada']);
  await store.close();
});

test('exports scores with their trace, and imports them', async () => {
  const { url, post } = await startConversation();
  await post('scores', { id: 'sc_1', trace_id: TRACE, name: 'quality', value: 0.5, author: 'ada' });
  const exported = await (await fetch(`${url}/v1/organizations/default/traces/${TRACE}/export`)).text();
  const target = await startServer();

  const { json } = await target.send('POST', 'import', exported, { 'Content-Type': 'application/x-ndjson' });

  expect(json).toMatchObject({ traces: 1, blocks: 2, failed_count: 0 });
  const { items } = await target.store.scores('default', { limit: 10 });
  expect(items).toEqual([expect.objectContaining({ id: 'sc_1', trace_id: TRACE, value: 0.5, author: 'ada' })]);
});
