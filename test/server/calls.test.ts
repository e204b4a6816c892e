import { expect, test } from '@jest/globals';
import { defineEnvironment, image, jsonSchema, ToolError, text } from 'ors-kit';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';

/** An environment with one tool, `run`, whose implementation is up to the test. */
const withTool = (run: () => unknown) =>
  defineEnvironment({
    name: 'lab',
    splits: { train: [{}] },
    prompt: () => 'go',
    // The tests return values that the types do not allow.
    tools: { run: { description: 'Run.', run: run as () => { text: string } } },
  });

async function callOnce(run: () => unknown, options = {}) {
  await using server = await start(withTool(run), options);
  return await call(server, await create(server), 'run');
}

test('sends the id of a call, then its result, with all nullable fields', async () => {
  const { events, taskId } = await callOnce(() => ({ text: 'Correct!', reward: 1, finished: true }));

  const output =
    '{"blocks":[{"text":"Correct!","detail":null,"type":"text"}],"metadata":null,"reward":1.0,"finished":true}';
  expect(taskId).toMatch(/^[0-9a-f]{32}$/);
  expect(events).toMatchObject([
    { event: 'task_id', data: taskId },
    { event: 'end', data: `{"ok":true,"output":${output}}` },
  ]);
});

test.each([
  [1, '1.0'],
  [0, '0.0'],
  [-0, '-0.0'],
  [0.1, '0.1'],
  [-3, '-3.0'],
  [1e21, '1e+21'],
  [5e-324, '5e-324'],
  [null, 'null'],
  [undefined, 'null'],
])('sends a reward of %p as %s', async (reward, literal) => {
  const { json } = await callOnce(() => ({ text: '', reward }));

  expect(json).toContain(`"reward":${literal},`);
});

test('sends images, details and metadata unchanged', async () => {
  const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
  const blocks = [text('seen', { language: 'en' }), image(bytes, 'image/png', { width: 1 })];

  const { result } = await callOnce(() => ({ blocks, metadata: { nested: [1, { deep: null }] } }));

  expect(result.output).toEqual({
    blocks: [
      { text: 'seen', detail: { language: 'en' }, type: 'text' },
      { data: 'iVBORw0KGgo=', mimeType: 'image/png', detail: { width: 1 }, type: 'image' },
    ],
    metadata: { nested: [1, { deep: null }] },
    reward: null,
    finished: false,
  });
});

test('sends metadata with a field named toJSON', async () => {
  const { result } = await callOnce(() => ({ text: '', metadata: { toJSON: 'x' } }));

  expect(result.output.metadata).toEqual({ toJSON: 'x' });
});

test('replaces an empty list of blocks with one empty text block', async () => {
  const { result } = await callOnce(() => ({ blocks: [] }));

  expect(result.output.blocks).toEqual([{ text: '', detail: null, type: 'text' }]);
});

test.each([
  [undefined, 'the tool returned no object; return { text } or { blocks }'],
  ['text', 'the tool returned no object; return { text } or { blocks }'],
  [{}, 'the tool returned neither text nor blocks, or both; return one of them'],
  [{ text: 'a', rewrad: 1 }, 'the tool returned rewrad; did you mean reward?'],
  [{ text: 'a', finish: true }, 'the tool returned finish; did you mean finished?'],
  [{ text: 'a', blocks: [] }, 'the tool returned neither text nor blocks, or both; return one of them'],
  [{ text: 5 }, 'blocks[0].text is 5; it must be a string'],
  [{ blocks: 'x' }, 'blocks is a string; it must be an array of blocks'],
  [{ blocks: [text('a'), 'b'] }, 'blocks[1] is a string; make it with text(...) or image(...)'],
  [{ blocks: [{ type: 'video' }] }, 'blocks[0].type must be text or image'],
  [{ blocks: [text('a'), text('b'), image('?!')] }, 'blocks[2].data is not base64; make the block with image(bytes)'],
  [{ blocks: [image('aaaaa')] }, 'blocks[0].data is not base64; make the block with image(bytes)'],
  [{ blocks: [image('aaaa', 'text/plain')] }, 'blocks[0].mimeType must begin with image/'],
  [{ text: '', reward: Number.NaN }, 'reward is NaN; it must be a finite number or null'],
  [{ text: '', reward: Number.POSITIVE_INFINITY }, 'reward is Infinity; it must be a finite number or null'],
  [{ text: '', reward: '1' }, 'reward is a string; it must be a finite number or null'],
  [{ text: '', finished: 1 }, 'finished is 1; it must be true or false'],
  [{ text: '', metadata: [] }, 'metadata is an array; it must be a plain object or null'],
  [{ text: '', metadata: new Date(0) }, 'metadata is an object; it must be a plain object or null'],
  [{ text: '', metadata: { a: [1n] } }, 'metadata.a[0] is a bigint, which JSON cannot keep'],
  [{ text: '', metadata: { a: new Map() } }, 'metadata.a is a Map, which JSON cannot keep'],
])('rejects an invalid output of a tool with the name of the field: %j', async (returned, message) => {
  const { error, events } = await callOnce(() => returned);

  expect(error).toBe(`invalid output: ${message}`);
  expect(events.map(({ event }) => event)).toEqual(['task_id', 'error']);
});

test('rejects a circular output without a crash', async () => {
  const metadata: Record<string, unknown> = {};
  metadata.self = metadata;

  expect((await callOnce(() => ({ text: '', metadata }))).error).toContain('metadata is circular or nested too deep');
});

test.each([
  [new ToolError('File not found'), { ok: false, error: "Tool 'run' failed: File not found" }],
  [new ToolError(''), { ok: false, error: "Tool 'run' failed: the tool gave no reason" }],
])('returns a ToolError as a result with ok: false', async (error, expected) => {
  const { result } = await callOnce(() => {
    throw error;
  });

  expect(result).toEqual(expected);
});

test.each([
  ['message', new Error('first\nsecond'), 'Error: first\nsecond'],
  ['message', new TypeError(''), 'TypeError'],
  ['message', 'a string', 'the environment threw a string'],
  ['message', undefined, 'the environment threw a value of type undefined'],
  ['none', new Error('first'), 'the environment failed'],
] as const)('with error detail %s, %p ends the call with the error %j', async (errorDetail, thrown, message) => {
  const response = await callOnce(
    () => {
      throw thrown;
    },
    { errorDetail },
  );

  expect(response.error).toBe(message);
});

test('sends the place where a tool threw, with errorDetail place', async () => {
  const response = await callOnce(
    () => {
      throw new Error('boom');
    },
    { errorDetail: 'place' },
  );

  expect(response.error).toMatch(/^Error: boom \(test\/server\/calls\.test\.ts:\d+:\d+\)$/);
});

test('sends the line where a tool threw, with errorDetail stack', async () => {
  const response = await callOnce(
    () => {
      throw new Error('boom');
    },
    { errorDetail: 'stack' },
  );

  expect(response.error).toMatch(/^Error: boom\n +at .*calls\.test\.ts/s);
});

test.each([
  [
    'nothing',
    {},
    'unknown tool; this episode has: count, wait, wait_too, wait_together, until_aborted, finish, echo, fail',
    'not_found',
  ],
  ['echo', {}, '/text is missing', 'input_validation'],
  ['echo', { text: 5 }, '/text must be a string', 'input_validation'],
  ['echo', { text: 'a', times: 0 }, '/times must be at least 1', 'input_validation'],
])('refuses a call of %s with %j, with the problem and the reason', async (name, input, problem, reason) => {
  await using server = await start(lab().environment);

  const { json } = await call(server, await create(server), name, input);

  expect(json).toBe(JSON.stringify({ ok: false, error: `Tool '${name}' failed: ${problem}`, reason }));
});

test('after the end of the episode, refuses a known tool as finished and an unknown one as not found', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  await call(server, sid, 'finish');

  expect((await call(server, sid, 'echo', { text: 5 })).result.reason).toBe('episode_finished');
  expect((await call(server, sid, 'nothing')).result.reason).toBe('not_found');
});

test('fails a call with a number that JavaScript cannot represent, with its path', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);

  const body = '{"name":"echo","input":{"text":"a","times":12345678901234567890}}';
  const response = await request(server, 'POST', '/lab/call', { sid, body });

  expect(response.body).toContain('"ok":false');
  expect(response.body).toContain('"reason":"input_validation"');
  expect(response.body).toContain(
    "Tool 'echo' failed: /times is a number that cannot be kept exactly; send it as a string",
  );
});

test('fills in defaults, and ignores the input of a tool without parameters', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);

  const echoed = await call(server, sid, 'echo', { text: 'a' });
  const counted = await call(server, sid, 'count', { extra: 1 });

  expect(echoed.result.output.blocks[0].text).toBe('a');
  expect(counted.result.output.blocks[0].text).toBe('1');
});

test('isolates sessions, and shares the state between calls of one session', async () => {
  await using server = await start(lab().environment);
  const [a, b] = [await create(server), await create(server)];

  await call(server, a, 'count');
  const again = await call(server, a, 'count');
  const other = await call(server, b, 'count');

  expect([again, other].map(({ result }) => result.output.blocks[0].text)).toEqual(['2', '1']);
});

test('runs calls of one tool one at a time, and those of different tools concurrently', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment);
  const sid = await create(server);

  const first = call(server, sid, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));
  const second = call(server, sid, 'wait', { gate: 'b' });
  const other = call(server, sid, 'wait_too', { gate: 'c' });
  await until(() => events.includes('start c'));
  expect(events).not.toContain('start b');
  for (const gate of ['c', 'b', 'a']) open(gate);
  await Promise.all([first, second, other]);

  expect(events.indexOf('start b')).toBeGreaterThan(events.indexOf('end a'));
});

test('runs calls of a concurrent tool concurrently', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment);
  const sid = await create(server);

  const calls = ['a', 'b'].map((gate) => call(server, sid, 'wait_together', { gate }));
  await until(() => events.includes('start a') && events.includes('start b'));
  open('a');
  open('b');

  await Promise.all(calls);
});

test('after the end of the episode, runs no tool and voids the result of a running one', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const running = call(server, sid, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));
  const waiting = call(server, sid, 'wait', { gate: 'b' });

  await call(server, sid, 'finish');
  open('a');
  open('b');
  const again = await call(server, sid, 'finish');

  const refusal = (tool: string) => ({
    ok: false,
    error: `Tool '${tool}' failed: the episode is finished; no tool runs after that`,
    reason: 'episode_finished',
  });
  expect((await running).result).toEqual(refusal('wait'));
  expect((await waiting).result).toEqual(refusal('wait'));
  expect(again.result).toEqual(refusal('finish'));
  expect(events).toContain('end a');
  expect(events).not.toContain('start b');
  expect(await request(server, 'POST', '/delete', { sid })).toMatchObject({ status: 200 });
});

test('answers 404 to a call under another environment, with both names; prompt and tools ignore the name', async () => {
  const [first, second] = [lab(), lab({ name: 'Other' })];
  await using server = await start([first.environment, second.environment]);
  const sid = await create(server, { env_name: 'LAB', task_spec: {} });

  await expect(call(server, sid, 'count', {}, { environment: 'other' })).rejects.toThrow(
    '404 {"detail":"environment mismatch: the session is one of \'lab\', the path names \'Other\'"}',
  );
  await expect(call(server, sid, 'count', {}, { environment: 'nope' })).rejects.toThrow('404');
  expect((await call(server, sid, 'count', {}, { environment: 'Lab' })).result.ok).toBe(true);
  expect(await request(server, 'GET', '/other/prompt', { sid })).toMatchObject({ status: 200 });
  expect(await request(server, 'GET', '/nope/task_tools', { sid })).toMatchObject({ status: 200 });
});

test('sends comments in a silent stream, which are not part of the result', async () => {
  const { environment, open } = lab();
  await using server = await start(environment, { heartbeatMs: 10 });
  const sid = await create(server);

  let heard = 0;
  const onComment = () => {
    if (++heard === 2) open('a');
  };
  const { result, comments } = await call(server, sid, 'wait', { gate: 'a' }, { onComment });

  expect(result.output.blocks[0].text).toBe('a');
  expect(comments.length).toBeGreaterThan(1);
});

test('opens the stream of a call during a long setup, and reports a failed setup as its error', async () => {
  const { environment, events } = lab({
    setup: async () => {
      await until(() => events.includes('go'));
      throw new Error('no database');
    },
  });
  await using server = await start(environment, { setupAnswerMs: 10, heartbeatMs: 10 });
  const sid = await create(server);

  let heard = 0;
  const onComment = () => {
    if (++heard === 2) events.push('go');
  };
  const { error, events: sent, comments } = await call(server, sid, 'count', {}, { onComment });

  expect(sent.map(({ event }) => event)).toEqual(['task_id', 'error']);
  expect(error).toBe('Error: no database');
  expect(comments.length).toBeGreaterThan(1);
});

test('offers shared and task tools, and task tools only for their task', async () => {
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{ hint: true }, { hint: false }] },
    task: jsonSchema<{ hint: boolean }>({ type: 'object', properties: { hint: { type: 'boolean' } } }),
    prompt: () => 'go',
    tools: { shared: { description: 'Shared.', run: () => ({ text: 'shared' }) } },
    taskTools: ({ task }): Record<string, { description: string; run: () => { text: string } }> =>
      task.hint ? { hint: { description: 'A hint.', run: () => ({ text: 'hint' }) } } : {},
  });
  await using server = await start(environment);
  const [withHint, without] = [
    await create(server, { split: 'train', index: 0 }),
    await create(server, { split: 'train', index: 1 }),
  ];
  const names = async (path: string, sid?: string) =>
    (await request(server, 'GET', path, sid === undefined ? {} : { sid })).body.tools.map(
      ({ name }: { name: string }) => name,
    );

  expect(await names('/lab/tools')).toEqual(['shared']);
  expect(await names('/lab/task_tools', withHint)).toEqual(['shared', 'hint']);
  expect(await names('/lab/task_tools', without)).toEqual(['shared']);
  expect((await call(server, withHint, 'hint')).result.ok).toBe(true);
  expect((await call(server, without, 'hint')).result.error).toBe(
    "Tool 'hint' failed: unknown tool; this episode has: shared",
  );
});

test('rejects an input with 60,000 errors, with one of them', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const input = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));

  const { result } = await call(server, sid, 'echo', input);

  expect(result).toMatchObject({ ok: false, error: "Tool 'echo' failed: /text is missing" });
});
