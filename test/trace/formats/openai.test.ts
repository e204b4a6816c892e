import { expect, test } from '@jest/globals';
import fc, { runs } from '../../support/fast-check.ts';
import { history } from '../model/histories.ts';
import { call, message, result, think } from '../model/store.ts';
import { exported, exportedLine, rowsOf, sourceOf } from './sources.ts';
import { PNG_URL, weather } from './weather.ts';

test('exports a trace as one example with turns, calls, results, thoughts and images', async () => {
  const { messages, tools } = await exportedLine('openai', weather());

  expect(messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: "what's the weather?" },
        { type: 'image_url', image_url: { url: PNG_URL } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'two cities',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"bogotá"}' } },
        { id: 'tb_c2', type: 'function', function: { name: 'get_weather', arguments: '{"city":"lima"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '22°C' },
    { role: 'tool', tool_call_id: 'tb_c2', content: 'cloudy' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: PNG_URL } }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_3', type: 'function', function: { name: 'wait', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_3', content: "Tool 'wait' failed: too late" },
    { role: 'assistant', content: '22°C and cloudy.' },
  ]);
  expect(tools).toEqual([
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The forecast of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
    { type: 'function', function: { name: 'wait', description: 'Does nothing.' } },
  ]);
});

const messagesOf = async (...blocks: readonly object[]) =>
  (await exportedLine('openai', sourceOf(rowsOf(...blocks)))).messages;

const assistant = (id: string, content: unknown) => message({ id, payload: { role: 'assistant', content } });
const lookAt = (id: string, parent: string) =>
  call({ id: `tb_${id}`, parent_block_id: parent, payload: { call_id: id, name: 'look', arguments: {} } });
const seen = (id: string) => result({ parent_block_id: `tb_${id}`, payload: { output: `saw ${id}` } });

test('adds announced calls to their message, even if they were logged after a result', async () => {
  const announces = [
    { type: 'tool_use', id: 'a', name: 'look' },
    { type: 'tool_use', id: 'b', name: 'look' },
  ];
  const under = 'tb_m';

  const messages = await messagesOf(
    assistant(under, announces),
    lookAt('a', under),
    seen('a'),
    lookAt('b', under),
    seen('b'),
  );

  expect(messages).toMatchObject([
    { role: 'assistant', content: null, tool_calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', tool_call_id: 'a' },
    { role: 'tool', tool_call_id: 'b' },
  ]);
});

test('starts a new turn for calls after a result that were not announced', async () => {
  const under = 'tb_m';

  const messages = await messagesOf(assistant(under, 'I look.'), lookAt('a', under), seen('a'), lookAt('b', under));

  expect(messages).toMatchObject([
    { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'a' }] },
    { role: 'tool', tool_call_id: 'a', content: 'saw a' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'b' }] },
  ]);
});

test('adds thoughts to the next response, or to one without text', async () => {
  const thought = (text: string) => think({ parent_block_id: 'tb_u', payload: { text } });

  expect(
    await messagesOf(message({ id: 'tb_u' }), thought('hm'), thought('ah'), assistant('tb_a', 'Yes.')),
  ).toMatchObject([{ role: 'user' }, { role: 'assistant', content: 'Yes.', reasoning_content: 'hm\n\nah' }]);
  expect(await messagesOf(message({ id: 'tb_u' }), thought('hm'))).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: '', reasoning_content: 'hm' },
  ]);
});

test.each<[string, unknown, unknown]>([
  ['text', 'plain', 'plain'],
  ['JSON', { n: 1 }, '{"n":1}'],
  ['null', null, 'null'],
  ['a failure', { ok: false, error: 'no' }, 'no'],
  ['a success with its tool output', { ok: true, output: { blocks: [{ type: 'text', text: 'a' }] } }, 'a'],
  [
    'two texts',
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  ],
  ['a part of an unknown type', [{ type: 'sound', hz: 5 }], '{"type":"sound","hz":5}'],
  ['a list without content parts', [1, 2], '[1,2]'],
  ['no blocks', { blocks: [] }, '{"blocks":[]}'],
])('exports a result of %s as the model reads it', async (_kind, output, content) => {
  const messages = await messagesOf(
    message({ id: 'tb_u' }),
    lookAt('a', 'tb_u'),
    result({ parent_block_id: 'tb_a', payload: { output } }),
  );

  expect(messages[2]).toEqual({ role: 'tool', tool_call_id: 'a', content });
});

test.each([
  ['of Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } }, PNG_URL],
  ['of OpenAI', { type: 'image_url', image_url: { url: 'https://example.test/a.png' } }, 'https://example.test/a.png'],
])('exports an image in the format %s', async (_of, part, url) => {
  const messages = await messagesOf(message({ payload: { role: 'user', content: [part] } }));

  expect(messages[0].content).toEqual([{ type: 'image_url', image_url: { url } }]);
});

test('exports a description of an image that is not stored, and of one in an assistant message', async () => {
  const content = [{ type: 'image_ref', sha256: 'cd', mimeType: 'image/png', bytes: 1 }];
  const picture = [{ type: 'image', data: 'iVBORw==', mimeType: 'image/png' }];

  const messages = await messagesOf(message({ payload: { role: 'user', content } }), assistant('tb_a', picture));

  expect(messages).toEqual([
    { role: 'user', content: '[image not stored: cd]' },
    { role: 'assistant', content: '[image: image/png]' },
  ]);
});

test('exports arguments that were not valid JSON as the model wrote them', async () => {
  const broken = { call_id: 'a', name: 'look', arguments: { $invalid_json: '{"x": ' } };

  const messages = await messagesOf(message({ id: 'tb_u' }), call({ parent_block_id: 'tb_u', payload: broken }));

  expect(messages[1].tool_calls[0].function.arguments).toBe('{"x": ');
});

test('exports no example for an empty trace', async () => {
  expect(await exported('openai', sourceOf([]))).toBe('');
});

test('exports a tool message for a call without a result, if the conversation continues', async () => {
  const turn = [
    ...[message({ id: 'tb_u' }), assistant('tb_a', 'three at once')],
    ...[lookAt('one', 'tb_a'), lookAt('two', 'tb_a'), lookAt('three', 'tb_a')],
  ];

  const open = await messagesOf(...turn);
  const partial = await messagesOf(...turn, seen('two'));
  const followed = await messagesOf(...turn, message({ payload: { role: 'user', content: 'go on' } }));

  expect(open.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);
  const missing = (id: string) => ({ role: 'tool', tool_call_id: id, content: '(no result)' });
  expect(partial.slice(2)).toEqual([
    missing('one'),
    { role: 'tool', tool_call_id: 'two', content: 'saw two' },
    missing('three'),
  ]);
  expect(followed.slice(2)).toEqual([
    missing('one'),
    missing('two'),
    missing('three'),
    { role: 'user', content: 'go on' },
  ]);
});

test('exports names and ids that OpenAI accepts', async () => {
  const long = `call_${'x'.repeat(60)}`;
  const rows = rowsOf(
    message({ id: 'tb_u' }),
    assistant('tb_a', 'text'),
    call({ id: 'tb_1', parent_block_id: 'tb_a', payload: { call_id: long, name: 'files.read', arguments: {} } }),
    call({
      id: 'tb_2',
      parent_block_id: 'tb_a',
      payload: { call_id: 'b', name: 'multi_tool_use.parallel', arguments: {} },
    }),
    result({ parent_block_id: 'tb_1', payload: { output: 'read' } }),
  );
  const tools = ['files_read', 'files.read'].map((name) => ({ name, description: 'Reads.', input_schema: null }));

  const { messages, tools: exportedTools } = await exportedLine('openai', sourceOf(rows, { metadata: { tools } }));

  const [{ id, function: read }, { function: unknown }] = messages[1].tool_calls;
  expect(id).toMatch(/^call_[0-9a-f]{32}$/);
  expect(messages[2]).toEqual({ role: 'tool', tool_call_id: id, content: 'read' });
  expect([read.name, unknown.name]).toEqual(['files_read_2', 'multi_tool_use_parallel']);
  expect(exportedTools.map((tool: { function: object }) => tool.function)).toMatchObject([
    { name: 'files_read' },
    { name: 'files_read_2' },
  ]);
});

test('exports every call once, with the tool messages of a turn after it', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (rows) => {
      if (rows.length === 0) return;
      const { messages } = await exportedLine('openai', sourceOf(rows));

      let open: string[] = [];
      let calls = 0;
      for (const { role, tool_calls = [], tool_call_id } of messages) {
        if (role === 'tool') expect(open.shift()).toBe(tool_call_id);
        else {
          expect(open).toEqual([]);
          open = tool_calls.map(({ id }: { id: string }) => id);
        }
        calls += tool_calls.length;
      }
      expect([[], messages.at(-1).tool_calls?.map(({ id }: { id: string }) => id)]).toContainEqual(open);
      expect(calls).toBe(rows.filter(({ sub_type }) => sub_type === 'TOOL_CALL').length);
    }),
    { numRuns: runs(100) },
  );
});

test.each(['openai', 'sharegpt'] as const)(
  '%s: replaces unpaired surrogates, for which Arrow and orjson refuse a whole file',
  async (format) => {
    const half = rowsOf(
      message({ payload: { role: 'user', content: 'a \ud83d' } }),
      message({ payload: { role: 'assistant', content: '\udc00 b' } }),
    );

    const text = await exported(format, sourceOf(half));

    expect(text).toContain('a \ufffd');
    expect(text).toContain('\ufffd b');
    expect(text).not.toMatch(/\\ud[89a-f]/i);
  },
);
