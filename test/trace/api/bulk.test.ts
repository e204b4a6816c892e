import { afterEach, expect, test } from '@jest/globals';
import { issueKey } from '../../../src/trace/api/index.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { closeServers, createCaller, errorSummary, startServer } from './server.ts';

afterEach(closeServers);

async function startFilled() {
  const server = await startServer();
  for (const [id, tags] of [
    ['tr_0', []],
    ['tr_1', ['draft', 'kept']],
    ['tr_2', ['new']],
  ] as const) {
    await server.post('traces', { id, tags });
  }
  const tagsOf = async (id: string) => (await server.get(`traces/${id}`)).json.tags;
  return { ...server, tagsOf };
}

test('adds and removes tags of many traces', async () => {
  const { post, tagsOf } = await startFilled();
  const change = { trace_ids: ['tr_0', 'tr_1', 'tr_2', 'tr_1'], add_tags: ['new'], remove_tags: ['draft'] };

  const first = await post('bulk', change);
  const again = await post('bulk', change);

  expect([first.status, first.json]).toEqual([200, { changed: 2, failed: [] }]);
  expect(again.json).toEqual({ changed: 0, failed: [] });
  expect([await tagsOf('tr_0'), await tagsOf('tr_1'), await tagsOf('tr_2')]).toEqual([
    ['new'],
    ['kept', 'new'],
    ['new'],
  ]);
});

test('deletes many traces, and reports those that do not exist', async () => {
  const { post, get, remove } = await startFilled();
  await remove('traces/tr_2');

  const { json } = await post('bulk', { trace_ids: ['tr_0', 'tr_2', 'tr_9'], delete: true });

  expect(json).toEqual({
    changed: 1,
    failed: [{ trace_id: 'tr_9', code: 'TRACE_NOT_FOUND', message: expect.stringContaining('tr_9') }],
  });
  expect((await get('traces')).json.traces.map(({ id }: { id: string }) => id)).toEqual(['tr_1']);
});

test('rejects tags beyond the limit of a trace, and changes the other traces', async () => {
  const { post, tagsOf } = await startFilled();
  const tags = Array.from({ length: 100 }, (_, index) => `tag ${index}`);

  const { json } = await post('bulk', { trace_ids: ['tr_0', 'tr_1'], add_tags: tags });

  expect(json).toMatchObject({ changed: 1, failed: [{ trace_id: 'tr_1', code: 'VALIDATION' }] });
  expect(await tagsOf('tr_1')).toEqual(['draft', 'kept']);
});

test.each([
  [{ trace_ids: ['tr_0'] }, '422 bulk'],
  [{ trace_ids: ['tr_0'], delete: true, add_tags: ['a'] }, '422 bulk'],
  [{ trace_ids: [], delete: true }, '422 minItems'],
  [{ delete: true }, '422 required'],
  [{ trace_ids: ['nonsense'], delete: true }, '422 pattern'],
])('rejects %j with %s, and changes nothing', async (body, summary) => {
  const { post, tagsOf } = await startFilled();

  expect(errorSummary(await post('bulk', body))).toBe(summary);
  expect(await tagsOf('tr_0')).toEqual([]);
});

test('needs a key that may write, and does not reach other organizations', async () => {
  await using store = await openTestStore();
  await store.createTrace('one', { id: 'tr_1' });
  const keys = await Promise.all([
    issueKey(store, { org: 'one', name: 'reader', scopes: ['read'] }),
    issueKey(store, { org: 'two', name: 'writer', scopes: ['read', 'write'] }),
  ]);
  const { url } = await startServer({ store, needsKeys: true });
  const [reader, writer] = keys.map(({ secret }, at) =>
    createCaller(url, { 'X-API-Key': secret }, at === 0 ? 'one' : 'two'),
  );
  const body = { trace_ids: ['tr_1'], delete: true };

  expect((await reader?.post('bulk', body))?.status).toBe(403);
  expect((await writer?.post('bulk', body))?.json.failed).toMatchObject([{ code: 'TRACE_NOT_FOUND' }]);
  expect((await store.trace('one', 'tr_1')).id).toBe('tr_1');
});
