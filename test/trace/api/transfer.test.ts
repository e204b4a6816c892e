import { createHash } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { issueKey } from '../../../src/trace/api/index.ts';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import { request } from '../../support/http.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { allBlocks, closeServers, createCaller, startConversation, startServer } from './server.ts';

afterEach(closeServers);

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const api = (url: string, path: string) => `${url}/v1/organizations/default/${path}`;

/** Imports text and returns the report. */
const importText = (send: ReturnType<typeof createCaller>['send'], text: string, query = '') =>
  send('POST', `import${query}`, text, { 'Content-Type': 'application/x-ndjson' });

test.each([
  ['jsonl', 'application/x-ndjson', 'jsonl'],
  ['openai', 'application/x-ndjson', 'openai.jsonl'],
  ['sharegpt', 'application/x-ndjson', 'sharegpt.jsonl'],
  ['atif', 'application/x-ndjson', 'atif.jsonl'],
  ['otlp-json', 'application/x-ndjson', 'otlp.jsonl'],
])('exports as %s with the type %s and a file name', async (format, mediaType, extension) => {
  const { url, write } = await startConversation();
  await write({ blocks: [think(), result({ extra: { reward: 1 } })] });

  const one = await fetch(api(url, `traces/${TRACE}/export?format=${format}`));
  const lines = (await one.text()).split('\n');

  expect(one.headers.get('content-type')).toBe(mediaType);
  expect(one.headers.get('content-disposition')).toBe(`attachment; filename="${TRACE}.${extension}"`);
  expect(lines.pop()).toBe('');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toEqual(expect.any(Object));
});

test.each(['exportTrace', 'exportRun', 'exportTraces'])('documents the media types of %s', async (operationId) => {
  const { url } = await startServer();

  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, { get?: object }> };

  const operation = Object.values(paths).find(
    ({ get }) => get && 'operationId' in get && get.operationId === operationId,
  );
  expect(operation?.get).toMatchObject({
    responses: {
      '200': { content: { 'application/x-ndjson': {}, 'text/csv': {}, 'application/vnd.apache.parquet': {} } },
    },
  });
});

test('rejects an import without a body', async () => {
  const { url } = await startServer();

  const response = await fetch(api(url, 'import'), { method: 'POST' });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { http_status: 400 } });
});

test('uses a file name for a run that is valid on every system', async () => {
  const { url, post } = await startServer();
  await post('traces', { run: 'a/b "c"\r\n..é' });

  const response = await fetch(api(url, `runs/${encodeURIComponent('a/b "c"\r\n..é')}/export`));

  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.jsonl"$/);
  expect((await response.text()).split('\n')).toHaveLength(2);
});

test('exports the requested traces of a run with their blocks, oldest first', async () => {
  const { url, store, remove } = await startServer();
  for (let index = 0; index < 250; index++) {
    const id = `tr_${index}`;
    await store.createTrace('default', { id, run: index % 2 ? 'odd' : 'even' }, 1_700_000_000_000 + index);
    const body = message({ extra: { reward: index } });
    if (index % 2) await store.append('default', id, { body, limits: readTraceLimits({}) });
    await store.updateTrace('default', id, { status: index % 4 === 1 ? 'finished' : 'error' });
  }
  await remove('traces/tr_7');
  const exported = async (query: string) => {
    const text = await (await fetch(api(url, `runs/odd/export${query}`))).text();
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  };
  const ids = (lines: { trace?: { id: string } }[]) => lines.flatMap(({ trace }) => (trace ? [trace.id] : []));

  const all = await exported('');

  const odd = Array.from({ length: 125 }, (_, index) => 2 * index + 1).filter((index) => index !== 7);
  expect(ids(all)).toEqual(odd.map((index) => `tr_${index}`));
  expect(all.filter(({ block }) => block)).toHaveLength(124);
  expect(ids(await exported('?reward_min=245'))).toEqual(['tr_245', 'tr_247', 'tr_249']);
  expect(ids(await exported('?reward_max=4&status=finished'))).toEqual(['tr_1']);
  expect(ids(await exported('?reward_min=1000'))).toEqual([]);
});

test('leaves a trace out of the export of its run if it is deleted before its turn', async () => {
  await using whole = await openTestStore();
  const { url, post } = await startServer({
    store: {
      ...whole,
      async texts(org, id, query) {
        if (id === 'tr_a') await whole.deleteTrace(org, 'tr_b');
        return whole.texts(org, id, query);
      },
    },
  });
  for (const id of ['tr_a', 'tr_b', 'tr_c']) {
    await post('traces', { id, run: 'r' });
    await post(`traces/${id}/blocks`, { blocks: [message()] });
  }

  const lines = (await (await fetch(api(url, 'runs/r/export'))).text()).trim().split('\n');

  const traces = lines.map((each) => JSON.parse(each).trace?.id ?? 'block');
  expect(traces).toEqual(['tr_a', 'block', 'tr_c', 'block']);
});

test('imports an export elsewhere with the same blocks, and only once', async () => {
  const [here, there] = [await startConversation(), await startServer()];
  await here.write({ blocks: [think({ raw: ['\ud800', 1e21, 47597178831730090, null] }), message({ id: 'tb_2' })] });
  await here.write(call({ payload: { call_id: 'c2', name: 'f', arguments: '{"a":"\\u0000"}' } }));
  for (let seq = 0; seq < 1500; seq += 500) {
    const blocks = Array.from({ length: 500 }, (_, at) => result({ payload: { delta: 'x', seq: seq + at } }));
    await here.write({ blocks });
  }
  await here.patch(`traces/${TRACE}`, { status: 'finished', tags: ['a'], metadata: { n: 1 } });
  const text = await (await fetch(api(here.url, `traces/${TRACE}/export`))).text();

  const first = await importText(there.send, text);
  const again = await importText(there.send, text, '?format=jsonl');

  expect(first.json).toEqual({ traces: 1, blocks: 1505, replayed: 0, failed_count: 0, failed: [] });
  expect(again.json).toEqual({ traces: 1, blocks: 0, replayed: 1505, failed_count: 0, failed: [] });
  const bare = (blocks: object[]) =>
    blocks.map((block) => ({ ...block, created_at: '', updated_at: '', metadata: {} }));
  expect(bare(await allBlocks(there.get, TRACE, 1000))).toEqual(bare(await allBlocks(here.get, TRACE, 1000)));
  const { created_at: _, updated_at: __, finished_at: ___, ...trace } = (await there.get(`traces/${TRACE}`)).json;
  const { imported, ...metadata } = trace.metadata;
  expect(imported).toEqual({ created_at: expect.any(String), finished_at: expect.any(String) });
  expect((await here.get(`traces/${TRACE}`)).json).toMatchObject({ ...trace, metadata });
});

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const traceLine = (id: string, more: object = {}) => line({ trace: { id, ...more } });
const blockLine = (block: object) => line({ block });

test('reports broken and rejected lines by number, and imports the others', async () => {
  const { send, get } = await startServer();
  const text = [
    traceLine('tr_a') + blockLine(message({ id: 'tb_a' })),
    'no JSON\n',
    traceLine('bad id'),
    traceLine('tr_b') + blockLine(think({ id: 'tb_b', parent_block_id: 'tb_none' })),
    `${traceLine('tr_c')}\n\r\n${blockLine(message({ id: 'tb_c' }))}`,
    traceLine('tr_d', { block_count: 2 }) + blockLine(message({ id: 'tb_d' })),
    traceLine('tr_e') + blockLine(message({ id: 'tb_c', extra: { other: true } })),
    traceLine('tr_f'),
  ].join('');

  const { status, json } = await importText(send, text);

  expect(status).toBe(200);
  expect(
    json.failed.map(({ line: at, trace_id, error }: never) => [at, trace_id, (error as { code: string }).code]),
  ).toEqual([
    [3, 'tr_a', 'BAD_JSON'],
    [4, null, 'BAD_JSON'],
    [6, 'tr_b', 'VALIDATION'],
    [11, 'tr_d', 'BAD_JSON'],
    [14, 'tr_e', 'BLOCK_ID_CONFLICT'],
  ]);
  expect(json).toMatchObject({ traces: 6, blocks: 3, replayed: 0, failed_count: 5 });
  for (const id of ['tr_a', 'tr_c', 'tr_d']) expect(await allBlocks(get, id)).toHaveLength(1);
});

test('leaves out only the rejected blocks of a trace', async () => {
  const { send, get } = await startServer();
  const refused = think({ id: 'tb_2', parent_block_id: 'tb_none' });
  const blocks = [message({ id: 'tb_1' }), refused, message({ id: 'tb_3' }), message({ id: 'tb_4' })];

  const { json } = await importText(send, traceLine('tr_a') + blocks.map(blockLine).join(''));

  expect(json).toMatchObject({ traces: 1, blocks: 3, failed: [{ line: 3, block_id: 'tb_2' }] });
  expect(await allBlocks(get, 'tr_a')).toHaveLength(3);
});

test.each(['', '\n\n', '{}', '[]', 'null\n{"trace":5}\n', '\u0000', '{"block":{}}', '\ufeff'])(
  'an import of %j stores nothing, and says so',
  async (text) => {
    const { send, get } = await startServer();

    for (const format of ['auto', 'jsonl', 'atif', 'firehorse']) {
      const { status, json } = await importText(send, text, `?format=${format}`);
      expect([status, json.traces, json.blocks]).toEqual([200, 0, 0]);
      expect(json.failed.length > 0).toBe(text.trim() !== '');
    }
    expect((await get('traces')).json.traces).toEqual([]);
  },
);

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');

function putBlob(url: string, hash: string, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  return fetch(api(url, `blobs/${hash}`), { method: 'PUT', body: bytes, headers });
}

test('stores a blob once under its hash, and returns it unchanged', async () => {
  const { url } = await startServer();
  const hash = sha256(PNG);

  const first = await putBlob(url, hash, PNG, { 'Content-Type': 'image/png' });
  const again = await putBlob(url, hash, PNG, { 'Content-Type': 'text/html' });
  const got = await fetch(api(url, `blobs/${hash}`));

  expect([first.status, await first.json()]).toEqual([200, { sha256: hash, media_type: 'image/png', bytes: 10 }]);
  expect(await again.json()).toEqual({ sha256: hash, media_type: 'image/png', bytes: 10 });
  expect(Buffer.from(await got.arrayBuffer())).toEqual(PNG);
  expect(got.headers.get('content-type')).toBe('image/png');
  expect(got.headers.get('content-length')).toBe('10');
});

test('rejects bytes under another hash', async () => {
  const { url } = await startServer();
  const hash = sha256('other');

  const response = await putBlob(url, hash, PNG);

  const { error } = await response.json();
  expect([response.status, error.code]).toEqual([400, 'BAD_REQUEST']);
  expect(error.message).toContain(sha256(PNG));
  expect((await fetch(api(url, `blobs/${hash}`))).status).toBe(404);
});

test('sends headers that stop a browser from running a blob', async () => {
  const { url } = await startServer();
  const page = Buffer.from('<script>alert(1)</script>');

  for (const type of ['text/html', 'image/svg+xml', 'text/javascript', 'application/pdf', 'x']) {
    await putBlob(url, sha256(page), page, { 'Content-Type': type });
    const { headers } = await fetch(api(url, `blobs/${sha256(page)}`));
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('accepts an empty blob, and sets a type if the client sent none', async () => {
  const { url } = await startServer();
  const hash = sha256('');

  const put = await request(url, {
    method: 'PUT',
    target: `/v1/organizations/default/blobs/${hash}`,
    headers: [['Content-Type', '']],
    body: '',
  });
  const got = await fetch(api(url, `blobs/${hash}`));

  expect(JSON.parse(put.body)).toEqual({ sha256: hash, media_type: 'application/octet-stream', bytes: 0 });
  expect([got.status, await got.text()]).toEqual([200, '']);
  expect(got.headers.get('content-type')).toBe('application/octet-stream');
});

test('accepts a blob as large as a request, and rejects a larger one', async () => {
  const { url } = await startServer({ limits: { ...readTraceLimits({}), request: 100_000 } });
  const large = new Uint8Array(100_000).fill(7);

  expect((await putBlob(url, sha256(large), large)).status).toBe(200);
  const { error } = await (await putBlob(url, sha256('x'), new Uint8Array(100_001))).json();

  expect(error).toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    details: { actual_bytes: 100_001, trace_id: null },
  });
  const got = await fetch(api(url, `blobs/${sha256(large)}`));
  expect(sha256(new Uint8Array(await got.arrayBuffer()))).toBe(sha256(large));
});

test('does not return a blob of another organization', async () => {
  await using store = await openTestStore();
  const { url } = await startServer({ store, needsKeys: true });
  const hash = sha256(PNG);
  const as = async (org: string) => {
    const { secret } = await issueKey(store, { org, name: org, scopes: ['read', 'write'] });
    return (method: string, body?: Uint8Array<ArrayBuffer>) =>
      fetch(`${url}/v1/organizations/${org}/blobs/${hash}`, {
        method,
        headers: { 'X-API-Key': secret },
        body: body ?? null,
      });
  };
  const [acme, other] = [await as('acme'), await as('other')];

  expect((await acme('PUT', PNG)).status).toBe(200);

  expect((await other('GET')).status).toBe(404);
  expect((await acme('GET')).status).toBe(200);
  expect((await createCaller(url).get(`blobs/${hash}`)).status).toBe(401);
});
