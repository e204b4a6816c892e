import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema, type Message, ToolError, text } from 'ors-kit';
import type { Block } from '../../../generated/trace.ts';
import { ownProperty } from '../../../src/core/index.ts';
import { createRecorder } from '../../../src/trace/recorder/index.ts';
import { MemoryJournal } from '../../../src/trial/index.ts';
import { call, create, request, start } from '../../support/client.ts';
import { startRecording } from './recording-server.ts';

const guess = defineEnvironment({
  name: 'lab',
  splits: { train: [{ n: 1 }, { n: 2 }] },
  prompt: ({ task }) => `Guess ${(task as { n: number }).n}.`,
  tools: {
    guess: {
      description: 'Guess.',
      input: jsonSchema<{ n?: number; long?: boolean; secret?: string }>({ type: 'object' }),
      run: ({ input, task }) => {
        if (input.long) return { text: 'x'.repeat(5 * 1024 * 1024) };
        if (input.n === undefined) throw new ToolError(`no number, but ${input.secret}`);
        if (input.n < 0) throw new Error('defect');
        const isRight = input.n === (task as { n: number }).n;
        return { text: isRight ? 'right' : 'wrong', reward: isRight ? 1 : 0, finished: isRight };
      },
    },
  },
});

const errorSummary = ({ sub_type, payload, extra }: Block) => [sub_type, payload, extra];

test('records an episode as a trace with prompt, calls, results, rewards and status', async () => {
  await using recording = await startRecording(guess);
  const { server } = recording;
  const sid = await create(server, { split: 'train', index: 1 });
  const headers = { 'X-Trace-Run': 'other' };
  await request(server, 'GET', '/lab/prompt', { sid, headers });
  await request(server, 'GET', '/lab/prompt', { sid });
  const { body } = await request(server, 'GET', '/lab/task_tools', { sid });
  await call(server, sid, 'guess', { n: 1 });
  await call(server, sid, 'guess', { n: 2 });
  await request(server, 'POST', '/delete', { sid });

  const { trace, blocks } = await recording.recordedOne();

  expect(trace).toMatchObject({ environment: 'lab', split: 'train', task_index: 1, status: 'finished' });
  expect(trace).toMatchObject({ reward_sum: 1, reward_count: 2, block_count: 5, error_count: 0 });
  expect(trace.metadata).toEqual({ tools: body.tools });
  const output = (text: string, reward: number, finished: boolean) => ({
    blocks: [{ text, detail: null, type: 'text' }],
    metadata: null,
    reward,
    finished,
  });
  expect(blocks.map(errorSummary)).toEqual([
    ['MESSAGE', { role: 'user', content: [{ text: 'Guess 2.', detail: null, type: 'text' }] }, null],
    ['TOOL_CALL', { call_id: 'call_1', name: 'guess', arguments: { n: 1 } }, null],
    ['TOOL_RESULT', { call_id: 'call_1', output: output('wrong', 0, false) }, { reward: 0 }],
    ['TOOL_CALL', { call_id: 'call_2', name: 'guess', arguments: { n: 2 } }, null],
    ['TOOL_RESULT', { call_id: 'call_2', output: output('right', 1, true) }, { reward: 1, finished: true }],
  ]);
  expect(blocks[1]?.parent_block_id).toBe(blocks[0]?.id);
  expect(recording.failures).toEqual([]);
});

test('returns the id of the trace to the creator of an episode', async () => {
  await using recording = await startRecording(guess);
  const body = { split: 'train', index: 0 };

  const { headers } = await request(recording.server, 'POST', '/create', { sid: 'own-id', body });

  const { trace } = await recording.recordedOne();
  expect(headers.get('X-Trace-ID')).toBe(trace.id);
});

test('reads run and group from headers, and the task from its spec', async () => {
  await using recording = await startRecording(guess);
  const body = { task_spec: { n: 7 } };
  const headers = { 'X-Trace-Run': 'exp-1', 'X-Trace-Group': 'g' };
  await request(recording.server, 'POST', '/create', { sid: 'own-id', body, headers });

  const { trace } = await recording.recordedOne();

  expect(trace).toMatchObject({
    run: 'exp-1',
    group_id: 'g',
    task_spec: { n: 7 },
    task_index: null,
    status: 'running',
  });
});

test.each<[Record<string, string>, string[]]>([
  [{ 'X-Trace-Tags': 'conformance, a b,,conformance' }, ['conformance', 'a b']],
  [{ 'User-Agent': 'curl/8.5.0' }, ['by-hand']],
  [{ 'User-Agent': 'curl/8.5.0', 'X-Trace-Tags': 'kept' }, ['kept']],
  [{ 'User-Agent': 'curly' }, []],
])('reads the tags of an episode from %j', async (headers, tags) => {
  await using recording = await startRecording(guess);
  await request(recording.server, 'POST', '/create', { sid: 'own-id', body: { split: 'train', index: 0 }, headers });

  expect((await recording.recordedOne()).trace.tags).toEqual(tags);
});

test('records failures as clients see them, without secrets', async () => {
  await using recording = await startRecording(guess, { errorDetail: 'none' });
  const { server } = recording;
  const secrets = { token: 'a-long-secret' };
  const body = { split: 'train', index: 0, secrets };
  await request(server, 'POST', '/create', { sid: 'own-id', body });
  await call(server, 'own-id', 'guess', { secret: 'a-long-secret' });
  await call(server, 'own-id', 'guess', { n: -1 });
  await call(server, 'own-id', 'nothing', {});

  const { trace, blocks } = await recording.recordedOne();

  expect(JSON.stringify({ trace, blocks })).not.toContain('a-long-secret');
  expect(JSON.stringify(blocks)).not.toContain('defect');
  expect(trace.error_count).toBe(3);
  expect(blocks[0]).toMatchObject({
    sub_type: 'MESSAGE',
    payload: { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'guess' }] },
  });
  const results = blocks.filter(({ sub_type }) => sub_type === 'TOOL_RESULT');
  expect(results.map(({ payload }) => payload)).toMatchObject([
    { output: { ok: false, error: expect.stringContaining('no number, but [secret]') } },
    { output: { ok: false } },
    { output: { ok: false, error: expect.stringContaining('unknown tool'), reason: 'not_found' } },
  ]);
});

const conversation: Message[] = [
  { role: 'system', blocks: [text('Be brief.')] },
  { role: 'user', blocks: [text('Where is order 7?')] },
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning', text: 'Ask the carrier.', signature: 's' },
      { type: 'tool_call', id: 'call_1', name: 'lookup', input: { id: 7 } },
      { type: 'tool_call', id: 'call_1', name: 'no name', input: {} },
    ],
  },
  {
    role: 'user',
    blocks: [
      { type: 'tool_result', tool_call_id: 'call_1', blocks: [text('lost')], is_error: true },
      text('Hurry.'),
      { type: 'tool_result', tool_call_id: 'other', blocks: [] },
    ],
  },
];

test.each(['prompt', 'messages'])(
  'records a conversation as messages, reasoning, calls and results, by /%s',
  async (path) => {
    const run = () => ({ text: 'done', reward: 1, finished: true });
    const environment = defineEnvironment({
      name: 'lab',
      splits: { train: [{}] },
      messages: () => conversation,
      tools: { guess: { description: 'Guess.', run } },
    });
    await using recording = await startRecording(environment);
    const { server } = recording;
    const sid = await create(server);
    await request(server, 'GET', `/lab/${path}`, { sid });
    await request(server, 'GET', '/lab/prompt', { sid });
    await call(server, sid, 'guess');

    const { blocks } = await recording.recordedOne();

    const content = (value: string) => [{ text: value, detail: null, type: 'text' }];
    const orphan = { tool_call_id: 'other', blocks: [], is_error: false, detail: null, type: 'tool_result' };
    expect(blocks.map(({ sub_type, payload }) => [sub_type, payload])).toEqual([
      ['MESSAGE', { role: 'system', content: content('Be brief.') }],
      ['MESSAGE', { role: 'user', content: content('Where is order 7?') }],
      [
        'MESSAGE',
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_1', name: 'lookup' },
            { type: 'tool_use', id: 'call_1#2', name: 'no name' },
          ],
        },
      ],
      ['THINK', { text: 'Ask the carrier.', signature: 's' }],
      ['TOOL_CALL', { call_id: 'call_1', name: 'lookup', arguments: { id: 7 } }],
      ['TOOL_CALL', { call_id: 'call_1#2', name: 'no name', arguments: {} }],
      ['TOOL_RESULT', { call_id: 'call_1', output: { ok: false, error: 'lost', blocks: content('lost') } }],
      ['MESSAGE', { role: 'user', content: [...content('Hurry.'), orphan] }],
      ['TOOL_CALL', { call_id: 'call_2', name: 'guess', arguments: {} }],
      ['TOOL_RESULT', { call_id: 'call_2', output: expect.objectContaining({ reward: 1 }) }],
    ]);
    const marked = blocks
      .filter(({ extra }) => ownProperty(extra, 'conversation') === true)
      .map(({ sub_type }) => sub_type);
    expect(marked).toEqual(['MESSAGE', 'MESSAGE', 'MESSAGE', 'TOOL_CALL', 'TOOL_CALL', 'MESSAGE']);
    const [, , assistant, think, first, , , last, acted] = blocks;
    expect([think, first, acted].map((block) => block?.parent_block_id)).toEqual(
      [assistant, assistant, last].map((block) => block?.id),
    );
    expect(recording.failures).toEqual([]);
  },
);

test('records a prompt that is read after the first call', async () => {
  await using recording = await startRecording(guess);
  const { server } = recording;
  const sid = await create(server, { split: 'train', index: 0 });
  await call(server, sid, 'guess', { n: 5 });
  await request(server, 'GET', '/lab/prompt', { sid });
  await call(server, sid, 'guess', { n: -1 });
  await request(server, 'POST', '/delete', { sid });

  const { trace, blocks } = await recording.recordedOne();

  const kinds = blocks.map(({ sub_type }) => sub_type);
  expect(kinds).toEqual(['MESSAGE', 'TOOL_CALL', 'TOOL_RESULT', 'MESSAGE', 'TOOL_CALL', 'TOOL_RESULT']);
  expect(blocks[4]?.parent_block_id).toBe(blocks[3]?.id);
  expect(trace.status).toBe('error');
});

test('records an episode that is deleted before its end as abandoned', async () => {
  await using recording = await startRecording(guess);
  const sid = await create(recording.server, { split: 'train', index: 0 });
  await request(recording.server, 'POST', '/delete', { sid });

  const { trace } = await recording.recordedOne();

  expect(trace.status).toBe('abandoned');
  expect(trace.finished_at).not.toBeNull();
});

test('records a result of 5 MB completely, in pieces', async () => {
  await using recording = await startRecording(guess);
  const sid = await create(recording.server, { split: 'train', index: 0 });
  await call(recording.server, sid, 'guess', { long: true });

  const { blocks } = await recording.recordedOne();

  const pieces = blocks.filter(({ sub_type }) => sub_type === 'TOOL_RESULT');
  const text = pieces.map(({ payload }) => (payload as { delta: string }).delta).join('');
  expect(pieces.length).toBeGreaterThan(2);
  expect(JSON.parse(text).blocks[0].text).toBe('x'.repeat(5 * 1024 * 1024));
  expect(recording.failures).toEqual([]);
});

test('records calls that are repeated by their task_id once', async () => {
  await using recording = await startRecording(guess);
  const { server } = recording;
  const sid = await create(server, { split: 'train', index: 0 });
  const body = { name: 'guess', input: { n: 5 }, task_id: 'once' };
  for (let time = 0; time < 3; time++) await request(server, 'POST', '/lab/call', { sid, body });

  const { blocks } = await recording.recordedOne();

  expect(blocks.map(({ sub_type }) => sub_type)).toEqual(['MESSAGE', 'TOOL_CALL', 'TOOL_RESULT']);
});

test.each([
  ['lost', 'error'],
  ['failed', 'error'],
  ['expired', 'abandoned'],
  ['deleted', 'abandoned'],
])('records an episode that is %s without being finished with the status %s', (ending, status) => {
  const updates: unknown[] = [];
  const traces = { createTrace: () => ({ id: 'tr_a', update: (update: unknown) => updates.push(update) }) };
  const start = { environment: 'lab', task: {}, secrets: {}, run: undefined, group: undefined };

  createRecorder(traces as never)
    .startEpisode(start)
    .ended(ending, false);

  expect(updates).toEqual([{ status }]);
});

/** Counts its calls. */
const counting = defineEnvironment({
  name: 'lab',
  durability: 'replay',
  splits: { train: [{}] },
  setup: () => ({ calls: 0 }),
  prompt: () => 'Count.',
  tools: {
    count: { description: 'Counts.', run: ({ state }) => ({ text: `${++state.calls}`, reward: 1 }) },
    crash: {
      description: 'Crashes.',
      run: () => {
        throw new Error('defect');
      },
    },
  },
  solve: async ({ call }) => void (await call('count')),
});

const texts = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.sub_type === 'TOOL_RESULT' ? [JSON.stringify(block.payload)] : []));

test('continues the record of an episode that another server continues, with each call once', async () => {
  const journal = new MemoryJournal();
  await using recording = await startRecording(counting, { journal });
  const { server, recorder } = recording;
  const headers = { 'X-Trace-Run': 'lasting' };
  const { body } = await request(server, 'POST', '/create', {
    sid: 'one',
    body: { split: 'train', index: 0 },
    headers,
  });
  const { sid } = body;
  await request(server, 'GET', '/lab/prompt', { sid });
  await call(server, sid, 'count', {});
  await call(server, sid, 'crash', {});
  await server.close();
  await using next = await start(counting, { journal, recorder });

  await request(next, 'GET', '/lab/prompt', { sid });
  await call(next, sid, 'count', {});

  const { trace, blocks } = await recording.recordedOne();
  expect(trace).toMatchObject({ run: 'lasting', status: 'running', reward_sum: 2, block_count: 10, error_count: 1 });
  const results = texts(blocks);
  expect(results).toHaveLength(3);
  expect([results[0]?.includes('"1"'), results[2]?.includes('"2"')]).toEqual([true, true]);
  expect(recording.failures).toEqual([]);
});

test('records a fork in a trace of its own, with its parent and the calls before it', async () => {
  await using recording = await startRecording(counting, { journal: new MemoryJournal() });
  const { server } = recording;
  const sid = await create(server, { split: 'train', index: 0 });
  await call(server, sid, 'count', {});

  const { body } = await request(server, 'POST', '/fork', { sid });
  await call(server, body.sid, 'count', {});

  const [parent, fork] = await recording.recorded();
  expect(parent?.trace).toMatchObject({ reward_sum: 1 });
  expect(parent?.trace.parent_trace_id ?? null).toBeNull();
  expect(fork?.trace).toMatchObject({ parent_trace_id: parent?.trace.id, parent_calls: 1, reward_sum: 2 });
});
