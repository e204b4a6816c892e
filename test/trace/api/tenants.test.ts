import { createHash } from 'node:crypto';
import { afterAll, describe, expect } from '@jest/globals';
import { issueKey, serveTraces } from '../../../src/trace/api/index.ts';
import { createMemoryStore, openSqliteStore, type TraceStore } from '../../../src/trace/store/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { testUnless } from '../../support/optional.ts';
import { postgresMissing, startPostgres } from '../store/postgres-server.ts';
import { sqliteMissing } from '../store/stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

/** A request below `/v1/organizations/{org}/`, or from the root. `{word}` is replaced by a different word for each tenant. */
interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ids come from a small set, so that both tenants, and several steps of one, use the same ids. */
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

const JSON_TYPE = { 'Content-Type': 'application/json' };
const get = (path: string): Step => ({ method: 'GET', path });
const post = (path: string, body: string, headers: Step['headers'] = {}): Step => ({
  method: 'POST',
  path,
  body,
  headers: { ...JSON_TYPE, ...headers },
});

const rollout = (id: string, event: string): string =>
  json({
    events: [
      { eventType: 'rollout', eventId: id, timestamp: 1, runName: 'same', rolloutName: '{word}' },
      {
        eventType: 'message',
        eventId: event,
        rolloutEventId: id,
        timestamp: 1,
        index: 0,
        type: 'user_message',
        content: '{word}',
      },
    ],
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
    arbitrary: fc
      .tuple(fc.constantFrom('0', '1'), fc.constantFrom('3', '4'))
      .map((ids) => post('/v1/rollouts', rollout(...ids))),
  },
);

const reads = [
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
];
const readsOf = (id: string) => [
  get(`traces/${id}`),
  get(`traces/${id}/blocks`),
  get(`traces/${id}/blocks?ids=tb_0,tb_1,tb_5`),
  get(`traces/${id}/blocks?parent=tb_0`),
  get(`traces/${id}/blocks.stitched`),
  get(`traces/${id}/blocks.stitched?limit=1&fields=skeleton`),
  get(`traces/${id}/export?format=otlp-json`),
  get(`blocks?trace_id=${id}`),
];
const read = fc.oneof(
  fc.constantFrom(...reads),
  traceId.chain((id) => fc.constantFrom(...readsOf(id))),
  fc.tuple(traceId, blockId).map(([id, one]) => get(`traces/${id}/blocks/${one}`)),
);

const script = fc.array(fc.oneof({ weight: 2, arbitrary: write }, { weight: 1, arbitrary: read }), {
  minLength: 20,
  maxLength: 40,
});

const idOf = (sub_type: string) => ({ MESSAGE: 0, TOOL_CALL: 1, TOOL_RESULT: 2 })[sub_type];
const blockOf = (sub_type: string, parent: string | null, payload: object) => ({
  id: `tb_${idOf(sub_type)}`,
  sub_type,
  ...(parent && { parent_block_id: parent }),
  payload,
});
/** A step of each kind, so that collisions do not depend on random steps. */
const everything: Step[] = [
  post('traces', json({ id: 'tr_0', run: 'same', group_id: 'g', tags: ['t'], name: '{word}' })),
  post(
    'traces/tr_0/blocks',
    json({
      blocks: [
        { ...blockOf('MESSAGE', null, { role: 'user', content: '{word}' }), extra: { reward: 1 } },
        blockOf('TOOL_CALL', 'tb_0', { call_id: 'c1', name: 'look', arguments: { of: '{word}' } }),
        blockOf('TOOL_RESULT', 'tb_1', { output: '{word}', seq: 0 }),
      ],
    }),
    { 'Idempotency-Key': 'k' },
  ),
  { method: 'PUT', path: `blobs/${BLOB}`, body: 'blob', headers: { 'Content-Type': 'text/{word}' } },
  post('/v1/rollouts', rollout('0', '3')),
  ...reads,
  ...readsOf('tr_0'),
  get('traces/tr_0/blocks/tb_1'),
  get('traces/tr_1'),
  { method: 'PATCH', path: 'traces/tr_0', body: json({ status: 'finished' }), headers: JSON_TYPE },
  { method: 'DELETE', path: 'traces/tr_0' },
  post('traces', json({ id: 'tr_0', run: 'same' })),
  // The ids of deleted blocks can be used again, also in another trace.
  post('traces', json({ id: 'tr_1' })),
  post('traces/tr_1/blocks', json(blockOf('MESSAGE', null, { role: 'user', content: '{word}' }))),
  post('traces', json({ id: 'tr_2' })),
  post('traces/tr_2/blocks', json(blockOf('MESSAGE', null, { role: 'user', content: 'same' }))),
  post('traces/tr_2/blocks', json(blockOf('TOOL_CALL', 'tb_0', { name: 'look', arguments: {} }))),
];

/** Returns everything that a tenant can see of a response. */
async function send(url: string, org: string, key: string, { method, path, body, headers = {} }: Step) {
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

type OpenStore = () => Promise<TraceStore>;

/** Time at which another tenant does the steps with other texts: each before ours, or all before our first one. */
type Other = 'none' | 'before each' | 'before all';

/** Returns the responses to a tenant. */
async function responsesOf(open: OpenStore, steps: readonly Step[], other: Other) {
  await using store = await open();
  await using running = await serveTraces({ store, port: 0, needsKeys: true });
  const newKey = (org: string) => issueKey(store, { org, name: org, scopes: ['read', 'write'] });
  const { key, secret } = await newKey('acme');
  const { secret: otherSecret } = await newKey('other');
  const responses = [];
  if (other === 'before all') for (const step of steps) await send(running.url, 'other', otherSecret, step);
  for (const step of steps) {
    if (other === 'before each') await send(running.url, 'other', otherSecret, step);
    const answer = await send(running.url, 'acme', secret, step);
    // Blocks name the key that wrote them, and its id is random.
    responses.push({ ...answer, body: answer.body.replaceAll(key.id, 'key_own') });
  }
  expect(await store.verify()).toEqual([]);
  return responses;
}

const now = () => 1_700_000_000_000;

function openPostgres(): Promise<TraceStore> {
  if (!server) throw new Error(postgresMissing);
  return server.openStore({ now });
}

describe('responses to a tenant', () => {
  const stores = [
    ['memory', undefined, async () => createMemoryStore({ now })],
    ['SQLite', sqliteMissing, () => openSqliteStore({ path: ':memory:', now })],
    ['PostgreSQL', postgresMissing, openPostgres],
  ] as const;

  for (const [name, missing, open] of stores) {
    testUnless(missing)(
      `are the same bytes whether or not another tenant uses the same ids (${name})`,
      async () => {
        const statuses = new Set<number>();
        await fc.assert(
          fc.asyncProperty(script, fc.constantFrom<Other>('before each', 'before all'), async (steps, other) => {
            const alone = await responsesOf(open, steps, 'none');
            const beside = await responsesOf(open, steps, other);
            for (const { status } of alone) statuses.add(status);
            expect(beside).toEqual(alone);
          }),
          {
            numRuns: runs(4),
            examples: [
              [everything, 'before each'],
              [everything, 'before all'],
            ],
            endOnFailure: true,
          },
        );
        // Proves that the scripts write, read, repeat, miss and collide.
        for (const status of [200, 201, 404, 409]) expect(statuses).toContain(status);
      },
      120_000,
    );
  }
});
