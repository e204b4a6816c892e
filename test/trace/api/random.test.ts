import { afterEach, expect, test } from '@jest/globals';
import { operations } from '../../../generated/trace-api-operations.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { allBlocks, closeServers, type JsonResponse, startConversation } from './server.ts';

afterEach(closeServers);

const BLOCKS = `traces/${TRACE}/blocks`;
const NDJSON = { 'Content-Type': 'application/x-ndjson' };

/** Operations with a body, and valid bodies for them. */
const WRITES: readonly { method: string; path: string; headers?: Record<string, string>; valid: readonly unknown[] }[] =
  [
    {
      method: 'POST',
      path: 'traces',
      valid: [{ run: 'r', step: 1, task_spec: { a: [1] }, tags: ['t'], metadata: { b: null }, status: 'running' }],
    },
    {
      method: 'PATCH',
      path: `traces/${TRACE}`,
      valid: [{ name: 'n', status: 'error', tags: [], metadata: { a: {} } }],
    },
    {
      method: 'POST',
      path: BLOCKS,
      valid: [
        message({ id: 'tb_1', raw: [1], extra: { reward: 1 } }),
        message({ payload: { role: 'assistant', content: [{ type: 'text', text: 'x' }] } }),
        call({ block_type: 'ACT', payload: { name: 'f', arguments: '{"a":[1,2]}' } }),
        result({ payload: { delta: ['x'], seq: 1, call_id: 'call_1' } }),
        { blocks: [message({ id: 'tb_2' }), think({ parent_block_id: 'tb_2' }), result({ trace_id: TRACE })] },
      ],
    },
    { method: 'POST', path: `${BLOCKS}?dry_run=true`, valid: [{ blocks: [think(), result()] }] },
    ...['auto', 'jsonl', 'atif', 'firehorse'].map((format) => ({
      method: 'POST',
      path: `import?format=${format}`,
      headers: NDJSON,
      valid: [
        { trace: { id: 'tr_i', run: 'r' } },
        { block: message({ id: 'tb_i' }) },
        {
          schema_version: 'ATIF-v1.4',
          session_id: 's',
          agent: { name: 'a', version: '1' },
          steps: [{ step_id: 1, source: 'user', message: 'x' }],
        },
        { type: 'system', subtype: 'init', session_id: 's', message: { role: 'user', content: 'x' } },
      ],
    })),
    {
      method: 'POST',
      path: '/v1/rollouts',
      valid: [
        { events: [{ eventType: 'rollout', eventId: 'r1', runName: 'run', timestamp: 1, run_info: { a: 1 } }] },
        {
          events: [
            { eventType: 'message', eventId: 'm1', rolloutEventId: 'r1', index: 0, type: 'user_message', content: 'x' },
          ],
        },
        {
          events: [
            {
              eventType: 'message',
              eventId: 'm2',
              rolloutEventId: 'r1',
              index: 1,
              type: 'tool_call',
              name: 'f',
              content: '{"a":1}',
              callId: 'c',
            },
          ],
        },
        { events: [{ eventType: 'rollout_update', eventId: 'r1', rollout_info: { duration_ms: 5 } }] },
      ],
    },
    { method: 'PUT', path: `blobs/${'0'.repeat(64)}`, valid: ['x'] },
  ];

const text = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 12 });
const WORDS = ['__proto__', 'constructor', 'id', 'blocks', 'payload', 'sub_type', 'MESSAGE', 'tb_1', 'tr_i', '\0', ''];
const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 2 ** 53, 1e308, 0.5, ...WORDS),
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...WORDS), text), tie('value'), { maxKeys: 4 }),
  ),
})).value;

interface Mutation {
  readonly at: readonly number[];
  readonly kind: 'replace' | 'delete' | 'add';
  readonly key: string;
  readonly value: unknown;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.array(fc.nat(10), { minLength: 1, maxLength: 5 }),
  kind: fc.constantFrom('replace', 'delete', 'add'),
  key: fc.oneof(fc.constantFrom(...WORDS), text),
  value: anyJson,
});

/** Changes one member of a JSON value; the numbers are the path of member indexes to it. */
function mutate(value: unknown, { at, kind, key, value: other }: Mutation): unknown {
  const clone = structuredClone(value);
  let place: unknown = clone;
  for (const [step, number] of at.entries()) {
    if (typeof place !== 'object' || place === null) return clone;
    const keys = Object.keys(place);
    const chosen = keys[number % keys.length];
    if (chosen === undefined) return clone;
    const child: unknown = Reflect.get(place, chosen);
    if (step < at.length - 1 && typeof child === 'object' && child !== null) {
      place = child;
      continue;
    }
    if (kind === 'delete') Reflect.deleteProperty(place, chosen);
    else
      Object.defineProperty(place, kind === 'add' ? key : chosen, {
        value: other,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return clone;
  }
  return clone;
}

/** Sends a request, and expects a valid response that is not an internal error. */
async function startChecked() {
  const reported: unknown[] = [];
  const server = await startConversation({ onError: (error) => reported.push(error) });
  async function send(...parts: Parameters<typeof server.send>): Promise<JsonResponse> {
    const response = await server.send(...parts);
    expect([response.status < 500, reported]).toEqual([true, []]);
    return response;
  }
  return { ...server, send };
}

test.each(WRITES)('$method $path accepts or rejects any JSON', async ({ method, path, headers }) => {
  const { send } = await startChecked();

  await fc.assert(
    fc.asyncProperty(anyJson, async (body) => {
      await send(method, path, JSON.stringify(body), headers);
    }),
    { numRuns: runs(15) },
  );
});

test.each(WRITES)(
  '$method $path accepts or rejects input that is nearly valid',
  async ({ method, path, headers, valid }) => {
    const { send, get } = await startChecked();
    const statuses = new Set<number>();

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...valid), fc.array(mutation, { maxLength: 3 }), async (body, mutations) => {
        const { status } = await send(method, path, JSON.stringify(mutations.reduce(mutate, body) ?? null), headers);
        statuses.add(status);
      }),
      // Includes each valid body unchanged.
      { numRuns: valid.length + runs(30), examples: valid.map((body) => [body, []]) },
    );

    if (method !== 'PUT') expect([...statuses].some((status) => status < 300)).toBe(true);
    for (const { json } of [await get('traces'), await get(`${BLOCKS}.stitched`)]) expect(json.page).toBeDefined();
    expect((await allBlocks(get, TRACE)).length).toBeGreaterThan(1);
  },
);

test.each(WRITES)(
  '$method $path accepts or rejects JSON with invalid bytes',
  async ({ method, path, headers, valid }) => {
    const { send } = await startChecked();

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...valid), fc.nat(), fc.nat(3), text, async (body, at, cut, insert) => {
        const whole = JSON.stringify(body);
        const place = at % whole.length;
        await send(method, path, whole.slice(0, place) + insert.toWellFormed() + whole.slice(place + cut), headers);
      }),
      { numRuns: runs(15) },
    );
  },
);

const READS = Object.entries(operations).filter(
  ([id, { method }]) =>
    method === 'get' && !['streamTrace', 'exportTrace', 'exportRun', 'exportTraces', 'metrics', 'getBlob'].includes(id),
);
const PARAMETERS = ['limit', 'cursor', 'after', 'before', 'run', 'sort', 'order', 'q', 'fields', 'assemble', 'bins'];
const FILTERS = ['tag', 'step', 'status', 'reward_min', 'created_after', 'call_id', 'parent', 'search', 'offset'];
const OF_BLOCKS = ['ids', 'trace_id', 'name', 'has_error', 'sub_type'];
const piece = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '1000',
    'true',
    'all',
    'skeleton',
    'created',
    'tb_msg123',
    '%',
    '%00',
    '%ff',
    '\\',
    '..',
    '%2f',
    '[',
    'a[b]',
  ),
  text.map((each) => encodeURIComponent(each.toWellFormed())),
);

test.each(READS)('%s responds to any path and query', async (_id, { path }) => {
  const { send } = await startChecked();
  const names = fc.constantFrom(...PARAMETERS, ...FILTERS, ...OF_BLOCKS);

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(names, piece), { maxLength: 3 }),
      fc.option(piece, { nil: undefined }),
      async (query, given) => {
        const filled = path
          .replace('{org}', 'default')
          .replace(/\{traceId\}/, given ?? TRACE)
          .replace(/\{\w+\}/g, given ?? 'tb_msg123');
        await send('GET', `${filled}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`);
      },
    ),
    { numRuns: runs(20) },
  );
});
