import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema, ToolError } from 'ors-kit';
import { create, request, start } from '../support/client.ts';

const response = jsonSchema<{ answer: string }>({
  type: 'object',
  properties: { answer: { type: 'string', description: 'Your answer to the problem' } },
  required: ['answer'],
});

/** The environment of the documents. */
const math = defineEnvironment({
  name: 'math',
  splits: {
    train: [
      { question: 'What is 2+2?', answer: '4' },
      { question: 'If x + 5 = 12, what is x?', answer: '7' },
    ],
    test: [],
  },
  prompt: ({ task }) => String(task.question),
  tools: {
    submit: {
      description: 'Submit an answer to the math problem',
      input: response,
      run: ({ input }) => {
        if (input.answer === 'bad') throw new ToolError('Invalid answer format');
        return { text: 'Correct!', reward: 1, finished: true };
      },
    },
    long: { description: 'Say a lot.', run: () => ({ text: 'Very long output '.repeat(500), reward: 0.5 }) },
    ls: { description: 'List files.', run: () => ({ text: 'Output text', reward: 0 }) },
  },
});

const json = { 'Content-Type': 'application/json' };

/** Steps of "Complete Episode Flow", as curl sends them. */
const STEPS = [
  ['1. health', 'GET', '/health', {}, undefined, { status: 'ok' }],
  ['2. environments', 'GET', '/list_environments', {}, undefined, ['math']],
  [
    '4. splits',
    'GET',
    '/math/splits',
    {},
    undefined,
    [
      { name: 'train', type: 'train' },
      { name: 'test', type: 'test' },
    ],
  ],
  [
    '5. tasks',
    'POST',
    '/math/tasks',
    json,
    '{"split": "train"}',
    {
      tasks: [
        { question: 'What is 2+2?', answer: '4' },
        { question: 'If x + 5 = 12, what is x?', answer: '7' },
      ],
      env_name: 'math',
    },
  ],
  [
    '7. episode',
    'POST',
    '/create',
    { ...json, 'X-Session-ID': 'abc-123' },
    '{"env_name": "math", "task_spec": {"question": "What is 2+2?"}, "secrets": {}}',
    { sid: 'abc-123' },
  ],
  [
    '8. prompt',
    'GET',
    '/math/prompt',
    { 'X-Session-ID': 'abc-123' },
    undefined,
    [{ text: 'What is 2+2?', detail: null, type: 'text' }],
  ],
  ['ping', 'POST', '/ping', { 'X-Session-ID': 'abc-123' }, undefined, { status: 'ok' }],
  ['10. delete', 'POST', '/delete', { 'X-Session-ID': 'abc-123' }, undefined, { sid: 'abc-123' }],
  ['delete the session', 'POST', '/delete_session', { 'X-Session-ID': 'abc-123' }, undefined, { sid: 'abc-123' }],
  [
    '7b. episode by split and index',
    'POST',
    '/create',
    { ...json, 'X-Session-ID': 'abc-123' },
    '{"env_name": "math", "split": "train", "index": 0, "secrets": {}}',
    { sid: 'abc-123' },
  ],
] as const;

test('answers the steps of the complete episode flow as in the document', async () => {
  await using server = await start(math);

  for (const [step, method, path, headers, body, expected] of STEPS) {
    const response = await request(server, method, path, { headers, ...(body && { body }) });
    expect([step, response.status, response.body]).toEqual([step, 200, expected]);
  }
});

test('lists tools with their schemas, and issues an id (steps 3 and 6)', async () => {
  await using server = await start(math);

  const { tools } = (await request(server, 'GET', '/math/tools')).body;
  const { sid } = (await request(server, 'POST', '/create_session')).body;

  expect(tools[0]).toEqual({
    name: 'submit',
    description: 'Submit an answer to the math problem',
    input_schema: { ...response },
  });
  expect(typeof sid).toBe('string');
});

test.each([
  ['POST', '/math/num_tasks', '{"split": "train"}', { num_tasks: 2 }],
  [
    'POST',
    '/math/task',
    '{"split": "train", "index": 0}',
    { task: { question: 'What is 2+2?', answer: '4' }, env_name: 'math' },
  ],
  [
    'POST',
    '/math/task_range',
    '{"split": "train", "start": 0, "stop": 10}',
    {
      tasks: [
        { question: 'What is 2+2?', answer: '4' },
        { question: 'If x + 5 = 12, what is x?', answer: '7' },
      ],
      env_name: 'math',
    },
  ],
])('answers %s %s with %s as in the document', async (method, path, body, expected) => {
  await using server = await start(math);

  expect((await request(server, method, path, { body, headers: json })).body).toEqual(expected);
});

const result = (text: string, reward: string, finished: boolean) =>
  `{"ok":true,"output":{"blocks":[{"text":"${text}","detail":null,"type":"text"}],"metadata":null,"reward":${reward},"finished":${finished}}}`;

test.each([
  ['submit', '{"answer": "4"}', result('Correct!', '1.0', true)],
  ['ls', '{}', result('Output text', '0.0', false)],
  ['submit', '{"answer": "bad"}', `{"ok":false,"error":"Tool 'submit' failed: Invalid answer format"}`],
])('streams the events of the documents for a call of %s with %s', async (name, input, expected) => {
  await using server = await start(math);
  const sid = await create(server, { env_name: 'math', task_spec: { question: 'What is 2+2?' } });

  const { body, headers } = await request(server, 'POST', '/math/call', {
    sid,
    headers: { ...json, Accept: 'text/event-stream' },
    body: `{"name": "${name}", "input": ${input}}`,
  });

  expect(headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
  expect(body).toMatch(/^event: task_id\ndata: [0-9a-f]{32}\n\nevent: end\ndata: /);
  expect(body.slice(body.indexOf('event: end'))).toBe(`event: end\ndata: ${expected}\n\n`);
});

test('streams a long result as chunks and an end, whatever Accept is', async () => {
  await using server = await start(math);
  const sid = await create(server, { task_spec: { question: '' } });

  const { body } = await request(server, 'POST', '/math/call', {
    sid,
    headers: { ...json, Accept: 'application/json' },
    body: '{"name": "long", "input": {}, "task_id": "call-001"}',
  });

  expect(body.startsWith('event: task_id\ndata: call-001\n\nevent: chunk\ndata: {"ok":true,"output":{"blocks":[')).toBe(
    true,
  );
  expect(body.endsWith('"reward":0.5,"finished":false}}\n\n')).toBe(true);
});
