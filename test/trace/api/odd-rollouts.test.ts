import { afterEach, expect, test } from '@jest/globals';
import type { Block, TraceWarning } from '../../../generated/trace.ts';
import { allBlocks, closeServers, errorSummary, startServer } from './server.ts';

afterEach(closeServers);

const START = Date.parse('2026-01-01T00:00:00Z');

const started = { eventType: 'rollout', eventId: 'r1', timestamp: START, runName: 'exp' };
const message = (index: number, type: string, content: unknown, parts: object = {}) => ({
  eventType: 'message',
  eventId: `m${index}`,
  rolloutEventId: 'r1',
  timestamp: START + 1000 * (index + 1),
  index,
  type,
  content,
  ...parts,
});

/** Logs events, given as JSON or as the text of a body, and reads the trace. */
async function logged(...bodies: readonly (string | readonly unknown[])[]) {
  const { post, get } = await startServer();
  const responses = [];
  for (const body of bodies) {
    responses.push(await post('/v1/rollouts', typeof body === 'string' ? body : { events: body }));
  }
  const trace = (await get('traces/tr_r1')).json;
  const warnings = (trace.warnings ?? []).map(({ event_id, path }: TraceWarning) => `${event_id} ${path}`);
  return { responses, trace, warnings, blocks: await allBlocks(get, 'tr_r1'), post, get };
}

const extrasOf = (blocks: readonly Block[]) => blocks.map(({ extra }) => extra);

test('counts True and False as rewards, and accepts 1 as is_finished, with warnings', async () => {
  const { responses, trace, warnings, blocks } = await logged([
    started,
    message(0, 'user_message', 'Go.', { reward: true }),
    message(1, 'assistant_message', 'Done.', { reward: false, isFinished: 1 }),
  ]);

  expect(responses.map(({ json }) => json)).toEqual([{ accepted: 3 }]);
  expect(trace).toMatchObject({ reward_sum: 1, reward_count: 2, status: 'finished' });
  expect(extrasOf(blocks)).toMatchObject([
    { reward: 1, sent: { reward: true } },
    { reward: 0, finished: true, sent: { reward: false, isFinished: 1 } },
  ]);
  expect(warnings).toEqual(['m0 /reward', 'm1 /reward', 'm1 /isFinished']);
});

test('keeps NaN and infinite numbers, which Python writes, with warnings', async () => {
  const body = JSON.stringify({
    events: [
      { ...started, task_spec: { limit: 'P' }, metadata: { loss: 'N' }, run_info: { model_name: 'm', lr: 'M' } },
      message(0, 'user_message', 'NaN and "Infinity" in a text: NaN', { reward: 'N', metadata: { x: ['P', 'M'] } }),
      message(1, 'assistant_message', 'Done.', { reward: 0.5 }),
    ],
  });
  const { responses, trace, warnings, blocks } = await logged(
    body.replaceAll('"N"', 'NaN').replaceAll('"P"', 'Infinity').replaceAll('"M"', '-Infinity'),
  );

  expect(responses.map(({ status }) => status)).toEqual([200]);
  expect(trace).toMatchObject({
    task_spec: { limit: { $number: 'Infinity' } },
    metadata: { loss: { $number: 'NaN' } },
    run_info: { model_name: 'm', lr: { $number: '-Infinity' } },
    reward_sum: 0.5,
    reward_count: 1,
  });
  expect(blocks[0]).toMatchObject({
    payload: { content: 'NaN and "Infinity" in a text: NaN' },
    extra: { reward: { $number: 'NaN' }, metadata: { x: [{ $number: 'Infinity' }, { $number: '-Infinity' }] } },
  });
  expect(warnings.toSorted()).toEqual([
    'm0 /metadata/x/0',
    'm0 /metadata/x/1',
    'm0 /reward',
    'r1 /metadata/loss',
    'r1 /run_info/lr',
    'r1 /task_spec/limit',
  ]);
});

test('keeps integers beyond 2^53 as they are, with warnings', async () => {
  const long = '9007199254740993';
  const { url, post, get } = await startServer();
  const events = [
    { ...started, task_spec: { seed: 'L' }, metadata: { seed: 'L' } },
    message(0, 'tool_call', `{"id": ${long}}`, { name: 'look', callId: 'c' }),
    message(1, 'tool_result', 'x', { callId: 'c', reward: 'L', metadata: { seed: 'L' } }),
  ];

  await post('/v1/rollouts', JSON.stringify({ events }).replaceAll('"L"', long));

  const textOf = async (path: string) => (await fetch(`${url}/v1/organizations/default/traces/${path}`)).text();
  expect((await textOf('tr_r1')).split(`{"seed":${long}}`)).toHaveLength(3);
  const blocks = await textOf('tr_r1/blocks');
  expect(blocks).toContain(`"arguments":{"id":${long}}`);
  expect(blocks).toContain(`"reward":${long}`);
  expect(blocks).toContain(`"metadata":{"seed":${long}}`);
  const { reward_sum, warnings } = (await get('traces/tr_r1')).json;
  expect(reward_sum).toBe(Number(long));
  expect(warnings.map(({ path }: TraceWarning) => path).toSorted()).toEqual([
    '/metadata/seed',
    '/metadata/seed',
    '/reward',
    '/task_spec/seed',
  ]);
});

test.each<[string, object, object]>([
  ['a reward that is text', { reward: '0.5' }, { reward: '0.5' }],
  ['a reward that is a list', { reward: [1] }, { reward: [1] }],
  ['is_finished that is text', { isFinished: 'yes' }, { sent: { isFinished: 'yes' } }],
  ['metadata that is a list', { metadata: [1] }, { metadata: [1] }],
  ['metadata that is text', { metadata: 'm' }, { metadata: 'm' }],
  ['a callId that is a number', { callId: 7 }, { call_id: '7', sent: { callId: 7 } }],
  ['a name that is a number', { name: 7 }, { name: '7', sent: { name: 7 } }],
  ['an unknown type', { type: 'developer_message' }, { sent: { type: 'developer_message' } }],
  ['no type', { type: null }, { sent: { type: null } }],
  ['a timestamp that is text', { timestamp: 'now' }, {}],
  ['an index that is a fraction', { index: 0.5 }, { index: 0, sent: { index: 0.5 } }],
  ['an index that is text', { index: '0' }, { index: 0 }],
  ['no index', { index: undefined }, { index: 0 }],
  ['a field of a newer version', { environment_id: 'e1' }, { event: { environment_id: 'e1' } }],
  ['an id of another form', { eventId: 'a b/c' }, { index: 0 }],
  ['an id that is a number', { eventId: 12 }, { index: 0 }],
  ['no id', { eventId: undefined }, { index: 0 }],
])('stores a message with %s', async (_what, parts, extra) => {
  const { responses, trace, blocks } = await logged([started, message(0, 'user_message', 'Go.', parts)]);

  expect(responses.map(({ json }) => json)).toEqual([{ accepted: 2 }]);
  expect(blocks).toMatchObject([{ sub_type: 'MESSAGE', payload: { role: 'user', content: 'Go.' }, extra }]);
  expect(trace).toMatchObject({ reward_sum: null, status: 'running' });
});

test.each<[string, string, unknown, object]>([
  ['an object as the content of a message', 'user_message', { a: 1 }, { payload: { content: '{"a":1}' } }],
  ['parts as content', 'assistant_message', [{ type: 'text', text: 'x' }], { payload: { content: [{ text: 'x' }] } }],
  ['a number as reasoning', 'reasoning', 5, { payload: { text: '5' } }],
  ['an object as arguments', 'tool_call', { a: 1 }, { payload: { arguments: { a: 1 } } }],
  ['a list as arguments', 'tool_call', '[1]', { payload: { arguments: [1] } }],
  ['text as arguments', 'tool_call', '"a"', { payload: { arguments: 'a' } }],
  ['no JSON as arguments', 'tool_call', 'a', { payload: { arguments: { $invalid_json: 'a' } } }],
  ['an object as a result', 'tool_result', { a: 1 }, { payload: { output: { a: 1 } } }],
])('stores %s', async (_what, type, content, expected) => {
  const { responses, blocks } = await logged([started, message(0, type, content, { name: 'look' })]);

  expect(responses.map(({ json }) => json)).toEqual([{ accepted: 2 }]);
  expect(blocks.at(-1)).toMatchObject(expected);
});

test.each<[string, object, object]>([
  [
    'a run name of 300 characters',
    { runName: 'r'.repeat(300) },
    { rollout_info: { event: { runName: 'r'.repeat(300) } } },
  ],
  ['no run name', { runName: undefined }, { run: null }],
  ['an empty run name', { runName: '' }, { run: null }],
  ['a run name that is a number', { runName: 7 }, { run: '7' }],
  ['an environment that is a list', { environment: ['a'] }, { environment: '["a"]' }],
  ['a step that is text', { step: 'one' }, { step: null, rollout_info: { event: { step: 'one' } } }],
  ['metadata that is a list', { metadata: [1] }, { metadata: { $value: [1] } }],
  ['a task_spec that is text', { task_spec: 'task 1' }, { task_spec: { $value: 'task 1' } }],
  ['run_info that is text', { run_info: 'x' }, { run_info: { $value: 'x' }, model: null }],
  ['ids of the platform', { environment_id: 'e1' }, { rollout_info: { event: { environment_id: 'e1' } } }],
])('starts a rollout with %s', async (_what, parts, expected) => {
  const { responses, trace, blocks } = await logged([{ ...started, ...parts }, message(0, 'user_message', 'Go.')]);

  expect(responses.map(({ json }) => json)).toEqual([{ accepted: 2 }]);
  expect(trace).toMatchObject(expected);
  expect(blocks).toHaveLength(1);
});

test('refuses only what cannot be read, by its index, and stores the rest of the batch', async () => {
  const other = { ...started, eventId: 'r2' };
  const events = [
    started,
    null,
    message(0, 'user_message', 'Go.'),
    { eventType: 'note', eventId: 'x' },
    { ...message(9, 'user_message', 'lost'), rolloutEventId: 'unknown' },
    other,
    { ...message(0, 'user_message', 'Mine.'), eventId: 'n0', rolloutEventId: 'r2' },
    { eventType: 'rollout' },
    'text',
  ];

  const { responses, blocks, get } = await logged(events);

  const [{ status, json } = { status: 0, json: undefined }] = responses;
  expect([status, json.accepted]).toEqual([200, 4]);
  expect(
    json.refused.map(({ index, error }: { index: number; error: { code: string } }) => [index, error.code]),
  ).toEqual([
    [1, 'VALIDATION'],
    [3, 'VALIDATION'],
    [4, 'TRACE_NOT_FOUND'],
    [7, 'VALIDATION'],
    [8, 'VALIDATION'],
  ]);
  expect(json.refused[1].error.details.issues).toMatchObject([{ index: 3, path: '/eventType', rule: 'event' }]);
  expect(blocks.map(({ payload }) => payload)).toMatchObject([{ content: 'Go.' }]);
  expect(await allBlocks(get, 'tr_r2')).toHaveLength(1);
});

test('answers with an error only if all events are refused', async () => {
  const { post } = await startServer();
  const lost = message(0, 'user_message', 'Go.');

  expect(errorSummary(await post('/v1/rollouts', { events: [lost] }))).toBe('404 TRACE_NOT_FOUND');
  expect(errorSummary(await post('/v1/rollouts', { events: [null, lost] }))).toBe('422 event');
  expect((await post('/v1/rollouts', { events: [] })).json).toEqual({ accepted: 0 });
  expect(errorSummary(await post('/v1/rollouts', '{"events": [nan]}'))).toBe('400 BAD_JSON');
});

test('does not refuse the messages of a rollout because its start or another rollout is refused', async () => {
  const { post, get } = await startServer();
  await post('/v1/rollouts', { events: [started] });
  const events = [
    { ...started, runName: 'another run' },
    message(0, 'user_message', 'Go.'),
    { ...message(0, 'user_message', 'Go.'), eventId: 'n0', rolloutEventId: 'never-started' },
    { eventType: 'rollout_update', eventId: 'never-started', rollout_info: { harness: 'x' } },
    { eventType: 'rollout_update', eventId: 'r1', rollout_info: { harness: 'x' } },
  ];

  const { json } = await post('/v1/rollouts', { events });

  expect(json.accepted).toBe(2);
  expect(json.refused.map(({ index }: { index: number }) => index)).toEqual([0, 2, 3]);
  expect((await get('traces/tr_r1')).json).toMatchObject({
    run: 'exp',
    block_count: 1,
    rollout_info: { harness: 'x' },
  });
});

test('assigns results without callId to the calls without callId in order, also across batches', async () => {
  const call = (index: number, parts: object = {}) =>
    message(index, 'tool_call', '{}', { name: `f${index}`, ...parts });
  const answer = (index: number, parts: object = {}) => message(index, 'tool_result', `r${index}`, parts);
  const { blocks } = await logged(
    [started, message(0, 'assistant_message', 'So.'), call(1), call(2, { callId: 'c' }), call(3)],
    [answer(4), answer(5, { callId: 'c' })],
    [answer(6), call(7), answer(8), call(9), call(10)],
    [answer(11), answer(12), answer(13)],
  );

  const parents = blocks.flatMap(({ sub_type, payload, parent_block_id }) =>
    sub_type === 'TOOL_RESULT' ? [[(payload as { output?: unknown }).output, parent_block_id]] : [],
  );
  expect(parents).toEqual([
    ['r4', 'tb_m1'],
    ['r5', 'tb_m2'],
    ['r6', 'tb_m3'],
    ['r8', 'tb_m7'],
    ['r11', 'tb_m9'],
    ['r12', 'tb_m10'],
    ['r13', 'tb_m13_call'],
  ]);
});

test.each([1, 2, 100])('assigns results to calls whose callId is repeated, in batches of %d', async (size) => {
  const events = [...['+', '+', '-', '-', '+', '-'], ...['|', '+', '|', '+', '-', '-']].map((kind, index) => {
    if (kind === '|') return message(index, 'assistant_message', 'So.');
    return message(index, kind === '+' ? 'tool_call' : 'tool_result', '{}', { name: 'f', callId: 'c' });
  });
  const batches = Array.from({ length: Math.ceil(events.length / size) }, (_, at) =>
    events.slice(at * size, (at + 1) * size),
  );

  const { blocks, post, get } = await logged([started], ...batches);
  for (const batch of batches) await post('/v1/rollouts', { events: batch });

  const parents = blocks.flatMap(({ id, sub_type, parent_block_id }) =>
    sub_type === 'TOOL_RESULT' ? [[id, parent_block_id]] : [],
  );
  expect(parents).toEqual([
    ['tb_m2', 'tb_m0'],
    ['tb_m3', 'tb_m1'],
    ['tb_m5', 'tb_m4'],
    ['tb_m10', 'tb_m9'],
    ['tb_m11', 'tb_m7'],
  ]);
  expect(await allBlocks(get, 'tr_r1')).toEqual(blocks);
});

test('assigns a result to its call by a callId of any length', async () => {
  const callId = 'c'.repeat(300);
  const { blocks } = await logged(
    [started, message(0, 'tool_call', '{}', { name: 'f', callId })],
    [message(1, 'tool_result', 'x', { callId })],
  );

  expect(blocks.at(-1)?.parent_block_id).toBe('tb_m0');
  expect(extrasOf(blocks.slice(1))).toMatchObject([{ call_id: callId }, { call_id: callId }]);
});

test('gives blocks the times of their events, and the trace that of its start', async () => {
  const { trace, blocks } = await logged(
    [started, message(0, 'user_message', 'Go.'), message(1, 'assistant_message', 'So.')],
    [{ eventType: 'rollout_update', eventId: 'r1', rollout_info: { harness: 'x' } }],
    [message(2, 'user_message', 'On.', { timestamp: START + 1500 }), message(3, 'assistant_message', 'Done.')],
  );

  expect(trace.created_at).toBe('2026-01-01T00:00:00.000000Z');
  expect(blocks.map(({ created_at }) => created_at)).toEqual([
    '2026-01-01T00:00:01.000000Z',
    '2026-01-01T00:00:02.000000Z',
    // Not before the block in front of it.
    '2026-01-01T00:00:02.000001Z',
    '2026-01-01T00:00:04.000000Z',
  ]);
});

test('makes current_step and task_index of rollout_info the step and task of the trace', async () => {
  const update = (rollout_info: object) => ({ eventType: 'rollout_update', eventId: 'r1', rollout_info });
  const { trace, get } = await logged(
    [started, update({ task_index: 3, current_step: 10, temperature: 0.5 })],
    [update({ task_index: 3, current_step: 11 })],
  );

  expect(trace).toMatchObject({ task_index: 3, step: 11, rollout_info: { current_step: 11, temperature: 0.5 } });
  expect((await get('traces?step=11')).json.traces).toHaveLength(1);
  expect((await get('groups?run=exp')).json.groups).toMatchObject([{ task_index: 3, step: 11 }]);
});

test.each<[object, object, string[]]>([
  [{ task_index: true }, { task_index: null }, ['r1 /rollout_info/task_index']],
  [{ current_step: 1.5 }, { step: null }, ['r1 /rollout_info/current_step']],
  [{ current_step: -1, task_index: 0 }, { step: null, task_index: 0 }, ['r1 /rollout_info/current_step']],
])('keeps the rollout_info %j, of which it uses what is valid', async (rollout_info, expected, found) => {
  const { trace, warnings } = await logged([started, { eventType: 'rollout_update', eventId: 'r1', rollout_info }]);

  expect(trace).toMatchObject({ rollout_info, ...expected });
  expect(warnings).toEqual(found);
});

test('keeps the step with which a rollout was started', async () => {
  const update = { eventType: 'rollout_update', eventId: 'r1', rollout_info: { current_step: 4 } };
  const { trace } = await logged([{ ...started, step: 2 }, update]);

  expect(trace).toMatchObject({ step: 2, rollout_info: { current_step: 4 } });
});

test('lists a warning once if a batch is repeated', async () => {
  const batch = [message(0, 'user_message', 'Go.', { reward: true })];
  const { warnings } = await logged([started], batch, batch);

  expect(warnings).toEqual(['m0 /reward']);
});
