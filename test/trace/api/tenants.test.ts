import { createHash } from 'node:crypto';
import { afterAll, describe, expect } from '@jest/globals';
import { issueKey, serveTraces } from '../../../src/trace/api/index.ts';
import {
  createMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type TraceStore,
} from '../../../src/trace/store/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { testUnless } from '../../support/optional.ts';
import { postgresMissing, startPostgres } from '../store/postgres-server.ts';
import { sqliteMissing } from '../store/stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

/** A request below `/v1/organizations/{org}/`, or from the root. `{word}` in it is what tells the tenants' data apart. */
interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ids come from so few that both tenants, and several steps of one, use the same. */
const traceId = fc.integer({ min: 0, max: 2 }).map((n) => `tr_${n}`);
const blockId = fc.integer({ min: 0, max: 5 }).map((n) => `tb_${n}`);
const seq = fc.integer({ min: 0, max: 2 });
const json = (value: unknown) => JSON.stringify(value);
const BLOB = createHash('sha256').update('blob').digest('hex');

const block = fc.oneof(
  fc.record({
    id: blockId,
    sub_type: fc.constant('MESSAGE'),
    payload: fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.constantFrom('{word}', 'same') }),
    extra: fc.record({ reward: fc.constantFrom(0, 1) }),
  }),
  fc.record({
    id: blockId,
    sub_type: fc.constant('THINK'),
    parent_block_id: blockId,
    payload: fc.record({ text: fc.constantFrom('{word}', 'same') }),
  }),
  fc.record({
    id: blockId,
    sub_type: fc.constant('TOOL_CALL'),
    parent_block_id: blockId,
    payload: fc.record({
      call_id: fc.constantFrom('c1', 'c2'),
      name: fc.constantFrom('look', '{word}'),
      arguments: fc.constant({ of: '{word}' }),
    }),
  }),
  fc.record({
    id: blockId,
    sub_type: fc.constant('TOOL_RESULT'),
    parent_block_id: blockId,
    payload: fc.record({ output: fc.constantFrom('{word}', 'same'), seq }),
  }),
);

const get = (path: string): Step => ({ method: 'GET', path });
const post = (path: string, body: string, headers: Step['headers'] = {}): Step => ({
  method: 'POST',
  path,
  body,
  headers: { 'Content-Type': 'application/json', ...headers },
});

const write = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(traceId, fc.constantFrom('{word}', 'same'))
      .map(([id, run]) => post('traces', json({ id, run, group_id: 'g', tags: ['t'] }))),
  },
  { weight: 1, arbitrary: traceId.map((key) => post('traces', json({ run: 'same' }), { 'Idempotency-Key': key })) },
  { weight: 9, arbitrary: fc.tuple(traceId, block).map(([id, one]) => post(`traces/${id}/blocks`, json(one))) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(traceId, fc.array(block, { minLength: 1, maxLength: 4 }))
      .map(([id, blocks]) => post(`traces/${id}/blocks`, json({ blocks }), { 'Idempotency-Key': 'k' })),
  },
  {
    weight: 1,
    arbitrary: traceId.map(
      (id): Step => ({ ...post(`traces/${id}`, json({ status: 'finished', name: '{word}' })), method: 'PATCH' }),
    ),
  },
  { weight: 1, arbitrary: traceId.map((id): Step => ({ method: 'DELETE', path: `traces/${id}` })) },
  {
    weight: 1,
    arbitrary: fc.tuple(traceId, block).map(([id, one]) =>
      post(
        'import?format=jsonl',
        `${json({ trace: { id, run: 'same' } })}\n${json({ block: { ...one, trace_id: id } })}\n`,
        {
          'Content-Type': 'application/x-ndjson',
        },
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>({
      method: 'PUT',
      path: `blobs/${BLOB}`,
      body: 'blob',
      headers: { 'Content-Type': 'text/{word}' },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('0', '1'), fc.constantFrom('3', '4')).map(([rollout, event]) =>
      post(
        '/v1/rollouts',
        json({
          events: [
            { eventType: 'rollout', eventId: rollout, timestamp: 1, runName: 'same', rolloutName: '{word}' },
            {
              eventType: 'message',
              eventId: event,
              rolloutEventId: rollout,
              timestamp: 1,
              index: 0,
              type: 'user_message',
              content: '{word}',
            },
          ],
        }),
      ),
    ),
  },
);

const read = fc.oneof(
  fc.constantFrom(
    get('traces?sort=length'),
    get('traces?tag=t&q=TR_&limit=1'),
    get('runs'),
    get('runs/same/stats'),
    get('runs/same/export'),
    get('groups?run=same'),
    get('blocks?q=SAME'),
    get('blocks?name=look'),
    get('blocks?has_error=false&name={word}'),
    get(`blobs/${BLOB}`),
    get('/v1/rollouts/runs'),
    get('/v1/access'),
  ),
  traceId.chain((id) =>
    fc.constantFrom(
      get(`traces/${id}`),
      get(`traces/${id}/blocks`),
      get(`traces/${id}/blocks?ids=tb_0,tb_1,tb_5`),
      get(`traces/${id}/blocks?parent=tb_0`),
      get(`traces/${id}/blocks.stitched`),
      get(`traces/${id}/blocks.stitched?limit=1&fields=skeleton`),
      get(`traces/${id}/export?format=otlp-json`),
      get(`blocks?trace_id=${id}`),
    ),
  ),
  fc.tuple(traceId, blockId).map(([id, one]) => get(`traces/${id}/blocks/${one}`)),
);

const script = fc.array(fc.oneof({ weight: 2, arbitrary: write }, { weight: 1, arbitrary: read }), {
  minLength: 20,
  maxLength: 60,
});

/** All that a tenant can see of an answer. */
async function ask(url: string, org: string, key: string, { method, path, body, headers = {} }: Step) {
  const filled = (text: string) => text.replaceAll('{word}', org);
  const response = await fetch(filled(path.startsWith('/') ? url + path : `${url}/v1/organizations/${org}/${path}`), {
    method,
    headers: {
      'X-API-Key': key,
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    },
    ...(body !== undefined && { body: filled(body) }),
  });
  const seen = ['content-type', 'etag', 'retry-after', 'content-disposition', 'content-length'];
  return {
    status: response.status,
    headers: seen.map((name) => response.headers.get(name)),
    body: await response.text(),
  };
}

/** The answers to a tenant; `other` does each step first, with words of its own. */
async function answersOf(store: TraceStore, steps: readonly Step[], other: string | undefined) {
  await using running = await serveTraces({ store, port: 0, needsKeys: true });
  const newKey = (org: string) => issueKey(store, { org, name: org, scopes: ['read', 'write'] });
  const { key, secret } = await newKey('acme');
  const otherSecret = other === undefined ? '' : (await newKey(other)).secret;
  const answers = [];
  for (const step of steps) {
    if (other !== undefined) await ask(running.url, other, otherSecret, step);
    const answer = await ask(running.url, 'acme', secret, step);
    // Blocks name the key that wrote them, and its id is random.
    answers.push({ ...answer, body: answer.body.replaceAll(key.id, 'key_own') });
  }
  expect(await store.verify()).toEqual([]);
  await store.close();
  return answers;
}

const now = () => 1_700_000_000_000;

describe('answers to a tenant', () => {
  const stores = [
    ['memory', undefined, async () => createMemoryStore({ now })],
    ['SQLite', sqliteMissing, () => openSqliteStore({ path: ':memory:', now })],
    ['PostgreSQL', postgresMissing, async () => openPostgresStore({ url: (await server?.newUrl()) ?? '', now })],
  ] as const;

  for (const [name, missing, open] of stores) {
    testUnless(missing)(
      `are the same bytes whether or not another one uses the same ids (${name})`,
      async () => {
        const statuses = new Set<number>();
        await fc.assert(
          fc.asyncProperty(script, async (steps) => {
            const alone = await answersOf(await open(), steps, undefined);
            const beside = await answersOf(await open(), steps, 'other');
            for (const { status } of alone) statuses.add(status);
            expect(beside).toEqual(alone);
          }),
          { numRuns: runs(12), endOnFailure: true },
        );
        // The scripts did write, read, repeat, miss and collide.
        for (const status of [200, 201, 404, 409]) expect(statuses).toContain(status);
      },
      120_000,
    );
  }
});
