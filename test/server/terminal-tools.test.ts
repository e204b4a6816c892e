import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool, jsonSchema } from 'ors-kit';
import { z } from 'zod';
import { call, create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';

const base = { name: 'lab', splits: { train: [{}] }, prompt: () => 'What is 2 + 2?' };
const answerInput = z.object({ answer: z.string() });
const think = { description: 'Think.', run: () => ({ text: 'thought' }) };
const submit = defineTool({
  description: 'Grades the answer.',
  input: answerInput,
  terminal: true,
  run: ({ input }) => ({ text: 'graded', reward: input.answer === '4' ? 1 : 0, finished: true }),
});

const withTerminal = () => defineEnvironment({ ...base, tools: { think, submit } });

test('announces a terminal tool next to the tools, on both routes, without its schema', async () => {
  await using server = await start(withTerminal());
  const sid = await create(server);

  const shared = await request(server, 'GET', '/lab/tools');
  const own = await request(server, 'GET', '/lab/task_tools', { sid });

  expect(JSON.stringify(shared.body)).toBe(
    '{"tools":[{"name":"think","description":"Think.","input_schema":null}],' +
      '"terminal_tool":{"name":"submit","arg":"answer","description":"Grades the answer."},' +
      '"supports_score_group":false,"supports_fork":false,' +
      '"message_block_types":["text","image","reasoning","tool_call","tool_result"]}',
  );
  expect(own.body).toEqual(shared.body);
});

test('announces null without a terminal tool', async () => {
  await using server = await start(defineEnvironment({ ...base, tools: { think } }));

  expect((await request(server, 'GET', '/lab/tools')).body).toMatchObject({ terminal_tool: null });
});

test.each([
  ['4', 1],
  ['5', 0],
  ['', 0],
])('grades the answer %j by a call of the hidden tool', async (answer, reward) => {
  await using server = await start(withTerminal());

  const { result } = await call(server, await create(server), 'submit', { answer });

  expect(result).toMatchObject({ ok: true, output: { reward, finished: true } });
});

test('serves an environment whose only tool is terminal', async () => {
  await using server = await start(defineEnvironment({ ...base, tools: { submit } }));
  const sid = await create(server);

  expect((await request(server, 'GET', '/lab/task_tools', { sid })).body.tools).toEqual([]);
  expect((await call(server, sid, 'nothing')).result.error).toBe(
    "Tool 'nothing' failed: unknown tool; this episode has: none",
  );
});

test.each([
  ['no input', undefined],
  ['an empty input', z.object({})],
])('with %s, the terminal tool has no argument and grades the state', async (_what, input) => {
  const environment = defineEnvironment({
    ...base,
    setup: () => ({ reward: 0.25 }),
    tools: {
      finish: {
        description: 'Grades the state.',
        ...(input && { input }),
        terminal: true,
        run: ({ state }) => ({ text: '', reward: state.reward, finished: true }),
      },
    },
  });
  await using server = await start(environment);

  expect((await request(server, 'GET', '/lab/tools')).body.terminal_tool).toEqual({
    name: 'finish',
    arg: null,
    description: 'Grades the state.',
  });
  expect((await call(server, await create(server), 'finish')).result.output.reward).toBe(0.25);
  expect((await call(server, await create(server), 'finish', { text: 'Bye.' })).result.output.reward).toBe(0.25);
});

test('grades once, and refuses later answers', async () => {
  await using server = await start(withTerminal());
  const sid = await create(server);
  await call(server, sid, 'submit', { answer: '4' });

  expect((await call(server, sid, 'submit', { answer: '4' })).result).toMatchObject({
    ok: false,
    reason: 'episode_finished',
  });
});

test('grades once if three answers come at the same time', async () => {
  let graded = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const environment = defineEnvironment({
    ...base,
    tools: {
      submit: {
        description: 'Grades.',
        terminal: true,
        run: async () => {
          graded++;
          await opened;
          return { text: '', reward: 1, finished: true };
        },
      },
    },
  });
  await using server = await start(environment);
  const sid = await create(server);

  const calls = [1, 2, 3].map(() => call(server, sid, 'submit'));
  await until(() => graded === 1);
  open();
  const results = (await Promise.all(calls)).map(({ result }) => result.reason ?? 'graded');

  expect(graded).toBe(1);
  expect(results.sort()).toEqual(['episode_finished', 'episode_finished', 'graded']);
});

const gradeOf = (value: z.ZodType) =>
  defineEnvironment({
    ...base,
    tools: {
      submit: {
        description: 'Grades a value.',
        input: z.object({ value }),
        terminal: true,
        run: ({ input }) => ({ text: JSON.stringify(input.value), reward: 1, finished: true }),
      },
    },
  });

test.each([
  ['integer', z.int(), '42', '42'],
  ['integer', z.int(), ' 42\n', '42'],
  ['integer', z.int(), '42.0', '42'],
  ['integer', z.int(), '-1_000', '-1000'],
  ['number', z.number(), '2.5', '2.5'],
  ['number', z.number(), ' 1e3 ', '1000'],
  ['number or null', z.number().nullable(), '.5', '0.5'],
  ['boolean', z.boolean(), 'Yes', 'true'],
  ['boolean', z.boolean(), 'off', 'false'],
  ['string or number', z.union([z.string(), z.number()]), '42', '"42"'],
  ['string', z.string(), '42', '"42"'],
])('converts the text of an answer for a parameter of type %s: %j', async (_type, value, text, converted) => {
  await using server = await start(gradeOf(value));

  const { result } = await call(server, await create(server), 'submit', { value: text });

  expect(result).toMatchObject({ ok: true, output: { blocks: [{ text: converted }] } });
});

test.each([
  ['integer', z.int(), 'The answer is 42'],
  ['integer', z.int(), '42.5'],
  ['integer', z.int(), '42.'],
  ['integer', z.int(), '4__2'],
  ['integer', z.int(), '12345678901234567890'],
  ['number', z.number(), 'NaN'],
  ['number', z.number(), '1e999'],
  ['boolean', z.boolean(), 'maybe'],
  ['array', z.array(z.string()), '["a"]'],
])('refuses a text that is not of type %s, and grades the next answer: %j', async (_type, value, text) => {
  await using server = await start(gradeOf(value));
  const sid = await create(server);

  const refused = await call(server, sid, 'submit', { value: text });
  const good = [42, true, []].find((each) => value.safeParse(each).success);
  const graded = await call(server, sid, 'submit', { value: good });

  expect(refused.result).toMatchObject({ ok: false, reason: 'input_validation' });
  expect(graded.result).toMatchObject({ ok: true, output: { reward: 1, finished: true } });
});

test('converts no text for an ordinary tool', async () => {
  const input = jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } } });
  const add = { description: 'Add.', input, run: () => ({ text: '' }) };
  await using server = await start(defineEnvironment({ ...base, tools: { add, submit } }));

  expect((await call(server, await create(server), 'add', { n: '1' })).result.reason).toBe('input_validation');
});
