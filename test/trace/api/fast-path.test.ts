import { expect, test } from '@jest/globals';
import { serveTraces } from '../../../src/trace/api/index.ts';
import { openTestStore } from '../store/open-test-store.ts';

const BASE = '/v1/organizations/default';
const message = { id: 'tb_1', sub_type: 'MESSAGE', payload: { role: 'user', content: 'hello' } };
const json = { 'Content-Type': 'application/json' };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Asked => ({
  method: 'POST',
  path: BASE + path,
  headers: { ...json, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const get = (path: string): Asked => ({ method: 'GET', path: BASE + path });

const CONVERSATION: readonly Asked[] = [
  post('/traces', { id: 'tr_1', run: 'a' }),
  post('/traces', { id: 'tr_1', run: 'b' }),
  post('/traces', { id: 'nonsense' }),
  post('/traces', { id: 'tr_2', step: 1.5, unknown: true }),
  post('/traces', ''),
  post('/traces', '{"id":'),
  post('/traces', '[]'),
  post('/traces/tr_1/blocks', message),
  post('/traces/tr_1/blocks', message),
  post('/traces/tr_1/blocks', { blocks: [{ ...message, id: 'tb_2' }] }, { 'Idempotency-Key': 'key' }),
  post('/traces/tr_1/blocks', { blocks: [{ ...message, id: 'tb_2' }] }, { 'Idempotency-Key': 'key' }),
  post('/traces/tr_1/blocks', { blocks: [{ ...message, id: 'tb_3' }] }, { 'Idempotency-Key': 'key' }),
  post('/traces/tr_1/blocks', { blocks: [] }, { 'Idempotency-Key': '' }),
  post('/traces/tr_1/blocks', { blocks: [] }, { 'Idempotency-Key': 'k'.repeat(257) }),
  post('/traces/tr_1/blocks', '{"sub_type":"MESSAGE","payload":{"role":"user","content":"a","n":1234567890123}}'),
  post('/traces/tr_1/blocks', '{"sub_type":"MESSAGE","payload":{"role":"user","content":"\\ud800","__proto__":1}}'),
  post('/traces/tr_1/blocks', message, { 'Content-Type': 'text/plain' }),
  post('/traces/tr_1/blocks?dry_run=true', { ...message, id: 'tb_9' }),
  post('/traces/tr_1/blocks?dry_run=perhaps', message),
  post('/traces/tr_gone/blocks', message),
  post('/traces/nonsense/blocks', message),
  post(`/traces/tr_${'x'.repeat(65)}/blocks`, message),
  post('/traces/tr_1/blocks/', { ...message, id: 'tb_4' }),
  post('//traces/tr_1/blocks', { ...message, id: 'tb_5' }),
  post('/traces/tr%5F1/blocks', { ...message, id: 'tb_6' }),
  get('/traces/tr_1/blocks'),
  get('/traces/tr_1/blocks?limit=2'),
  get('/traces/tr_1/blocks?limit=none'),
  get('/traces/tr_1/blocks?unknown=1'),
  get('/traces/tr_1/blocks?ids=tb_2,tb_none,tb_1'),
  get('/traces/tr_1/blocks?ids=tb_2,'),
  get('/blocks'),
  get('/blocks?q=HELLO&limit=200'),
  get('/blocks?trace_id=tr_none'),
  get('/blocks?q='),
  get('/search'),
  get('/traces/tr_1/blocks/tb_1'),
  get('/traces/tr_1/blocks/none'),
  get('/traces/tr_1/blocks.stitched'),
  get('/traces/tr_1'),
  get('/traces/tr_none'),
  get('/runs/a/stats'),
  get(`/runs/${'r'.repeat(257)}/stats`),
  get('/nothing'),
  { method: 'GET', path: '/v1/organizations/-/traces/tr_1' },
  { method: 'PATCH', path: `${BASE}/traces/tr_1`, headers: json, body: '{"status":"finished","tags":["x"]}' },
  { method: 'PATCH', path: `${BASE}/traces/tr_1`, headers: json, body: '{"status":"unheard of"}' },
  { method: 'PUT', path: `${BASE}/traces/tr_1`, headers: json, body: '{}' },
  { method: 'DELETE', path: `${BASE}/traces/tr_1` },
  { method: 'DELETE', path: `${BASE}/traces/tr_1` },
  { method: 'GET', path: '/healthz' },
];

/** Sends all requests in order to a server with a new store, and returns the responses without times and generated ids. */
async function play(validateResponses: boolean): Promise<readonly string[]> {
  const store = await openTestStore();
  const server = await serveTraces({ store, port: 0, validateResponses });
  const responses: string[] = [];
  for (const { path, ...init } of CONVERSATION) {
    const response = await fetch(server.url + path, init);
    const { status, headers } = response;
    const reported = ['content-type', 'etag', 'allow', 'retry-after'].map((name) => headers.get(name));
    responses.push(JSON.stringify([init.method, path, status, reported, await response.text()]));
  }
  await server.close();
  await store.close();
  return responses.map((text) => text.replaceAll(/tb_[0-9a-z]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'made'));
}

test('returns the same responses on the fast path and through Express', async () => {
  const throughExpress = await play(true);

  const direct = await play(false);

  expect(direct).toEqual(throughExpress);
});
