import { expect, test } from '@jest/globals';
import { canonicalContent, stitch } from '../../../src/trace/model/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { history } from '../model/histories.ts';
import { createStore, TRACE } from '../model/store.ts';
import { exported, exportedLine, imported, sourceOf } from './sources.ts';
import { PNG_URL, TOOLS, weather } from './weather.ts';

test('exports a trace as a document with a step for each message and turn', async () => {
  const { steps, ...document } = await exportedLine('atif', weather());

  expect(document).toMatchObject({
    schema_version: 'ATIF-v1.6',
    session_id: TRACE,
    agent: { name: 'react', version: 'unknown', model_name: 'gpt-5', tool_definitions: [{}, {}] },
    final_metrics: { total_steps: 5, extra: { reward_sum: 1 } },
  });
  const picture = { type: 'image', source: { media_type: 'image/png', path: PNG_URL } };
  expect(steps).toMatchObject([
    { step_id: 1, source: 'system', message: 'Be brief.' },
    { step_id: 2, source: 'user', message: [{ type: 'text', text: "what's the weather?" }, picture] },
    {
      step_id: 3,
      source: 'agent',
      message: '',
      reasoning_content: 'two cities',
      tool_calls: [
        { tool_call_id: 'call_1', function_name: 'get_weather', arguments: { city: 'bogotá' } },
        { tool_call_id: 'tb_c2', function_name: 'get_weather', arguments: { city: 'lima' } },
      ],
      observation: {
        results: [
          { source_call_id: 'call_1', content: [{ type: 'text', text: '22°C' }, picture] },
          { source_call_id: 'tb_c2', content: 'cloudy' },
        ],
      },
      extra: { rewards: [{ source_call_id: 'call_1', reward: 0 }] },
    },
    { step_id: 4, source: 'agent', extra: { rewards: [{ source_call_id: 'call_3', reward: 1 }] } },
    { step_id: 5, source: 'agent', message: '22°C and cloudy.' },
  ]);
});

test('imports every exported history as the same tree', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (rows) => {
      if (rows.length === 0) return;
      const [item] = await imported(await exported('atif', sourceOf(rows)));

      const contents = (blocks: readonly unknown[]) => blocks.map((block) => canonicalContent(block, TRACE));
      const written = rows.map(({ metadata: _m, created_at: _c, updated_at: _u, ...block }) => block);
      expect(item?.trace?.id).toBe(TRACE);
      expect(contents(item?.blocks ?? [])).toEqual(contents(written));
    }),
    { numRuns: runs(60) },
  );
});

test('imports a document with changed steps from its steps', async () => {
  const document = await exportedLine('atif', weather());
  document.steps[4].message = 'Cloudy.';

  const [item] = await imported(JSON.stringify(document));

  expect(item?.trace).toMatchObject({ name: TRACE, model: 'gpt-5', status: 'finished', metadata: { tools: TOOLS } });
  expect(item?.trace?.id).not.toBe(TRACE);
  const { rows, post } = createStore();
  for (const { trace_id: _, ...block } of item?.blocks ?? []) expect(post(block).failure).toBeUndefined();
  const { messages } = stitch(rows, { assemble: true });
  expect(messages.map(({ payload }) => payload)).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: "what's the weather?" },
        { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'call_1', name: 'get_weather' },
        { type: 'tool_use', id: 'tb_c2', name: 'get_weather' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_3', name: 'wait' }] },
    { role: 'assistant', content: 'Cloudy.' },
  ]);
  expect(messages[2]?.thinks.map(({ payload }) => payload.text)).toEqual(['two cities']);
  expect(messages[2]?.tool_calls.map(({ assembled }) => assembled?.value)).toEqual([
    [
      { type: 'text', text: '22°C' },
      { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
    ],
    'cloudy',
  ]);
  expect(messages[3]?.tool_calls[0]?.tool_results[0]?.extra).toEqual({ reward: 1 });
});

/** Steps of Harbor's example: a question for a price, metrics, a step without calls. */
const foreign = {
  schema_version: 'ATIF-v1.4',
  session_id: '025B810F',
  agent: { name: 'harbor-agent', version: '1.0.0', model_name: 'gemini-2.5-flash', extra: {} },
  notes: 'a test',
  extra: { seed: 1 },
  final_metrics: { total_steps: 3 },
  steps: [
    { step_id: 1, timestamp: '2025-10-11T10:30:00Z', source: 'user', message: 'What is the price?', extra: {} },
    {
      step_id: 2,
      source: 'agent',
      message: 'I search.',
      reasoning_content: 'Two points.',
      tool_calls: [
        { tool_call_id: 'call_1', function_name: 'search', arguments: { ticker: 'GOOGL' } },
        { tool_call_id: 'call_1', function_name: 'search', arguments: '{"ticker": ' },
      ],
      observation: { results: [{ source_call_id: 'call_1', content: '185.35' }, { content: 'a note' }] },
      metrics: { prompt_tokens: 520, logprobs: [-0.1] },
    },
    {
      step_id: 3,
      source: 'system',
      message: '',
      observation: { results: [{ source_call_id: 'call_1', content: 'more' }] },
    },
    { step_id: 4, source: 'agent', message: '' },
  ],
};

test.each<[string, string]>([
  ['in one line', JSON.stringify(foreign)],
  ['indented', JSON.stringify(foreign, null, 2)],
  ['indented with tabs and carriage returns', JSON.stringify(foreign, null, '\t').replaceAll('\n', '\r\n')],
])('imports a foreign document, %s, without loss', async (_how, text) => {
  const items = await imported(`${text}\n${text}`);

  const [item, again] = items;
  expect(items.map(({ reason }) => reason)).toEqual([undefined, undefined]);
  expect(item?.trace).toEqual({
    id: expect.stringMatching(/^tr_[0-9a-f]{32}$/),
    ...{ name: '025B810F', model: 'gemini-2.5-flash', status: 'finished', rollout_info: { harness: 'harbor-agent' } },
    metadata: {
      imported: {
        ...{ format: 'atif', schema_version: 'ATIF-v1.4', session_id: '025B810F', agent: foreign.agent },
        ...{ notes: 'a test', extra: { seed: 1 }, final_metrics: { total_steps: 3 } },
      },
    },
  });
  expect(again?.trace?.id).toBe(item?.trace?.id);
  expect(item?.blocks?.map(({ sub_type, payload, extra }) => ({ sub_type, payload, extra }))).toEqual([
    {
      sub_type: 'MESSAGE',
      payload: { role: 'user', content: 'What is the price?' },
      extra: { atif: { step_id: 1, timestamp: '2025-10-11T10:30:00Z', extra: {} } },
    },
    {
      sub_type: 'MESSAGE',
      payload: { role: 'assistant', content: 'I search.' },
      extra: { atif: { step_id: 2, metrics: { prompt_tokens: 520, logprobs: [-0.1] } } },
    },
    { sub_type: 'THINK', payload: { text: 'Two points.' }, extra: null },
    {
      sub_type: 'TOOL_CALL',
      payload: { call_id: 'call_1', name: 'search', arguments: { ticker: 'GOOGL' } },
      extra: null,
    },
    {
      sub_type: 'TOOL_CALL',
      payload: { name: 'search', arguments: { $invalid_json: '{"ticker": ' } },
      extra: { call_id: 'call_1' },
    },
    { sub_type: 'TOOL_RESULT', payload: { output: '185.35' }, extra: null },
    { sub_type: 'MESSAGE', payload: { role: 'user', content: 'a note' }, extra: { atif: { observation: true } } },
    { sub_type: 'TOOL_RESULT', payload: { output: 'more' }, extra: null },
    {
      sub_type: 'MESSAGE',
      payload: { role: 'assistant', content: [{ type: 'text', text: '' }] },
      extra: { atif: { step_id: 4 } },
    },
  ]);
});

test('imports subagents as separate traces', async () => {
  const items = await imported(
    JSON.stringify({ ...foreign, subagent_trajectories: [{ ...foreign, session_id: 'sub' }] }),
  );

  expect(items.map(({ trace }) => trace?.name)).toEqual(['025B810F', 'sub']);
});

test.each<[string, object, string]>([
  ['another version', { schema_version: 'ATIF-v2.0', steps: [] }, 'needs schema_version ATIF-v1.x'],
  ['an unknown source', { ...foreign, steps: [{ source: 'tool', message: '' }] }, 'steps[0] must have the source'],
  ['a step that is none', { ...foreign, steps: [7] }, 'steps[0] must be an object'],
  [
    'a message of a wrong type',
    { ...foreign, steps: [{ source: 'user', message: 5 }] },
    'steps[0] must have a message',
  ],
  [
    'a call without a name',
    { ...foreign, steps: [{ source: 'agent', message: 'a', tool_calls: [{}] }] },
    '/payload/name must be',
  ],
  [
    'calls that are none',
    { ...foreign, steps: [{ source: 'agent', message: 'a', tool_calls: 'x' }] },
    'steps[0] must have tool_calls',
  ],
])('reports %s and reads the next document', async (_what, document, reason) => {
  const items = await imported(`${JSON.stringify(document)}\n${JSON.stringify(foreign)}`, 'atif');

  expect(items[0]).toMatchObject({ line: 1, reason: expect.stringContaining(reason) });
  expect(items.at(-1)).toMatchObject({ line: 2, trace: { name: '025B810F' } });
});

test('imports the other steps of a document with an invalid one, and reports each of its blocks', async () => {
  const call = (name: unknown, id: string) => ({ tool_call_id: id, function_name: name, arguments: {} });
  const steps = [
    { step_id: 1, source: 'user', message: 'Look.' },
    { step_id: 2, source: 'tool', message: 'Who am I?' },
    {
      step_id: 3,
      source: 'agent',
      message: 'I look.',
      tool_calls: [call('look', 'c1'), call(undefined, 'c2')],
      observation: {
        results: [
          { source_call_id: 'c1', content: 'Sand.' },
          { source_call_id: 'c2', content: '?' },
        ],
      },
    },
  ];

  const items = await imported(JSON.stringify({ ...foreign, steps }), 'atif');

  expect(items.slice(0, -1).map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^steps\[1\] must have the source/),
    expect.stringMatching(/^block 3, a TOOL_CALL: \/payload\/name/),
    expect.stringMatching(/^block 5, a TOOL_RESULT: its parent, block 3, is not valid/),
  ]);
  expect(items.at(-1)?.blocks?.map(({ sub_type }) => sub_type)).toEqual([
    'MESSAGE',
    'MESSAGE',
    'TOOL_CALL',
    'TOOL_RESULT',
  ]);
});

test('pairs calls and results whose ids are repeated in a step, in every step, or missing', async () => {
  const call = (id: string | undefined, n: number) => ({ tool_call_id: id, function_name: 'add', arguments: { n } });
  const seen = (id: string | undefined, content: string) => ({ source_call_id: id, content });
  const step = (calls: readonly object[], results: readonly object[]) => {
    return { source: 'agent', message: '', tool_calls: calls, observation: { results } };
  };
  const steps = [
    step([call('c', 1)], [seen('c', 'a')]),
    step([call('c', 2), call('c', 3)], [seen('c', 'b'), seen('c', 'c')]),
    step([call(undefined, 4), call(undefined, 5)], [seen(undefined, 'd'), seen(undefined, 'e')]),
    step([call('d', 6)], []),
    step([call('d', 7)], [seen('d', 'g')]),
  ];

  const [item] = await imported(JSON.stringify({ ...foreign, steps }));

  const { rows, post } = createStore();
  for (const block of item?.blocks ?? []) expect(post(block).failure).toBeUndefined();
  const calls = stitch(rows).messages.flatMap(({ tool_calls }) => tool_calls);
  expect(
    calls.map(({ payload, tool_results }) => [payload.arguments, ...tool_results.map((one) => one.payload.output)]),
  ).toEqual([
    [{ n: 1 }, 'a'],
    [{ n: 2 }, 'b'],
    [{ n: 3 }, 'c'],
    [{ n: 4 }, 'd'],
    [{ n: 5 }, 'e'],
    [{ n: 6 }],
    [{ n: 7 }, 'g'],
  ]);
});
