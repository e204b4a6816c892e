import { expect, test } from '@jest/globals';
import { stitch } from '../../../src/trace/model/index.ts';
import { createStore } from '../model/store.ts';
import { imported } from './sources.ts';

const lines = (...events: readonly object[]) => `${events.map((event) => JSON.stringify(event)).join('\n')}\n`;

/** Imports a trial into a store, and summarizes its tree. */
async function trial(text: string) {
  const [item, ...others] = await imported(text);
  expect(others).toEqual([]);
  expect(item?.reason).toBeUndefined();
  const { rows, post } = createStore();
  for (const block of item?.blocks ?? []) expect(post(block).failure).toBeUndefined();
  const { messages } = stitch(rows);
  const shown = messages.map(({ payload, thinks, tool_calls }) => ({
    [payload.role]: payload.content,
    ...(thinks.length > 0 ? { thinks: thinks.map((think) => think.payload.text) } : {}),
    ...(tool_calls.length > 0
      ? {
          calls: tool_calls.map((call) => ({
            [call.payload.name]: call.payload.arguments,
            results: call.tool_results.map(({ payload: { output }, extra }) => [output, extra]),
          })),
        }
      : {}),
  }));
  return { trace: item?.trace, shown };
}

const PROMPT = { type: 'openreward_prompt', system_prompt: 'Use tools.', environment_prompt: 'Solve it.' };

test('imports a log of resum', async () => {
  const { trace, shown } = await trial(
    lines(
      PROMPT,
      {
        ...{ type: 'assistant', text_content: 'I try.', reasoning_content: 'hm', input_tokens: 5, output_tokens: 2 },
        tool_calls: [{ id: 'c1', name: 'bash', arguments: { command: 'ls' } }],
      },
      { type: 'tool_call', tool_call_id: 'c1', tool_name: 'bash', arguments: { command: 'ls' } },
      { type: 'tool_result', tool_call_id: 'c1', output: 'a.txt', reward: null, finished: false },
      { type: 'micro_compaction', cleared_count: 3, message_count: 9 },
      {
        ...{ type: 'assistant', text_content: '', reasoning_content: null },
        tool_calls: [{ id: 'c2', name: 'submit', arguments: { response: '42' } }],
      },
      { type: 'tool_call', tool_call_id: 'c2', tool_name: 'submit', arguments: { response: '42' } },
      { type: 'tool_result', tool_call_id: 'c2', output: 'Right.', reward: 1.0, finished: true },
      {
        ...{ type: 'openreward_summary', task_spec: { id: 'q7' }, env: 'owner/quiz', model: 'openai/gpt-5' },
        ...{ final_reward: 1.0, finished: true, usage: { input_tokens: 5 } },
      },
    ),
  );

  expect(shown).toEqual([
    { system: 'Use tools.' },
    { user: 'Solve it.' },
    {
      assistant: 'I try.',
      thinks: ['hm'],
      calls: [{ bash: { command: 'ls' }, results: [['a.txt', { finished: false }]] }],
    },
    {
      assistant: [{ type: 'tool_use', id: 'c2', name: 'submit' }],
      calls: [{ submit: { response: '42' }, results: [['Right.', { reward: 1, finished: true }]] }],
    },
  ]);
  expect(trace).toMatchObject({
    ...{
      name: 'trial_q7',
      environment: 'owner/quiz',
      model: 'openai/gpt-5',
      task_spec: { id: 'q7' },
      status: 'finished',
    },
    metadata: {
      imported: { format: 'firehorse', events: [{ type: 'micro_compaction' }], summary: { final_reward: 1 } },
    },
  });
});

test('imports a log of claude-code: responses over several lines, reward markers, and other lines', async () => {
  const assistant = (...content: object[]) => ({
    type: 'assistant',
    message: { id: 'msg_1', role: 'assistant', content },
  });
  const result = (tool_use_id: string, content: unknown, more: object = {}) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content, ...more }] },
  });

  const { trace, shown } = await trial(
    lines(
      { ...PROMPT, system_prompt: 'default' },
      { type: 'system', subtype: 'init', tools: ['mcp__openreward__bash'] },
      assistant({ type: 'thinking', thinking: 'first look', signature: 's' }),
      assistant({ type: 'text', text: 'I look.' }),
      assistant({ type: 'tool_use', id: 'tu1', name: 'mcp__openreward__bash', input: { command: 'ls' } }),
      assistant({ type: 'tool_use', id: 'tu2', name: 'mcp__openreward__bash', input: {} }),
      result('tu1', [
        { type: 'text', text: 'fake [OR_REWARD:{"r": 9, "f": true}] then\n[OR_REWARD:{"r": 0.5, "f": false}]' },
      ]),
      result('tu2', 'No such tool', { is_error: true }),
      { type: 'result', total_cost_usd: 0.1 },
      { type: 'openreward_summary', env: 'e', model: 'm', bridge_result: { last_reward: 0.5, finished: false } },
    ),
  );

  expect(shown).toEqual([
    { user: 'Solve it.' },
    {
      assistant: 'I look.',
      thinks: ['first look'],
      calls: [
        {
          mcp__openreward__bash: { command: 'ls' },
          results: [
            [[{ type: 'text', text: 'fake [OR_REWARD:{"r": 9, "f": true}] then' }], { reward: 0.5, finished: false }],
          ],
        },
        { mcp__openreward__bash: {}, results: [['No such tool', { tool_error: true }]] },
      ],
    },
  ]);
  expect(trace).toMatchObject({
    status: 'abandoned',
    metadata: { imported: { events: [{ subtype: 'init' }, { type: 'result' }] } },
  });
});

test('adds rewards of the rewards file by the order of calls to the environment', async () => {
  const call = (id: string) => ({
    type: 'assistant',
    message: { id, content: [{ type: 'tool_use', id, name: 'bash', input: {} }] },
  });
  const result = (id: string) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
  });
  const place = (id: string, count: number | null) => ({
    type: 'openreward_tool_correlation',
    tool_use_id: id,
    mcp_call_count: count,
  });
  const trialLines = lines(PROMPT, call('x'), result('x'), call('y'), result('y'), place('y', 1), {
    type: 'openreward_summary',
  });
  const rewards = lines({
    call_count: 1,
    tool: 'bash',
    reward: 0.25,
    finished: true,
    total_reward: 0.25,
    timestamp: 1,
  });

  const { shown } = await trial(trialLines + rewards);

  expect(shown.slice(2).map(({ calls }) => calls?.[0]?.results)).toEqual([
    [['ok', null]],
    [['ok', { reward: 0.25, finished: true }]],
  ]);
  expect(await imported(rewards)).toMatchObject([{ line: 1, reason: expect.stringContaining('rewards must follow') }]);
});

const OPEN = [
  { type: 'system', content: 'Use tools.' },
  { type: 'user', content: 'Solve it.' },
];

test.each<[string, readonly object[], unknown]>([
  [
    'Anthropic',
    [
      {
        ...{ type: 'assistant', provider: 'anthropic' },
        raw: {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a' },
            { type: 'tool_use', id: 'c', name: 'look', input: { n: 1 } },
          ],
        },
      },
      { type: 'tool_result', provider: 'anthropic', tool_use_id: 'c', tool_name: 'look', reward: 0.5, finished: true },
      {
        type: 'tool_results',
        provider: 'anthropic',
        raw: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'seen' }] }],
        },
      },
    ],
    {
      assistant: 'a',
      calls: [{ look: { n: 1 }, results: [[[{ type: 'text', text: 'seen' }], { reward: 0.5, finished: true }]] }],
    },
  ],
  [
    'OpenRouter',
    [
      {
        ...{ type: 'assistant', provider: 'openrouter' },
        raw: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"n": 1}' } }],
        },
      },
      {
        type: 'tool_result',
        provider: 'openrouter',
        raw: { role: 'tool', tool_call_id: 'c', content: 'seen' },
        reward: 1,
        finished: true,
      },
    ],
    {
      assistant: [{ type: 'tool_use', id: 'c', name: 'look' }],
      calls: [{ look: { n: 1 }, results: [['seen', { reward: 1, finished: true }]] }],
    },
  ],
  [
    'OpenAI, whose older logs have only the types of what it answered',
    [
      { type: 'assistant', provider: 'openai', raw: [{ type: 'reasoning' }, { type: 'function_call' }] },
      {
        type: 'tool_result',
        provider: 'openai',
        raw: { type: 'function_call_output', call_id: 'c', output: 'seen' },
        reward: 1,
        finished: true,
      },
    ],
    {
      assistant: [{ type: 'tool_use', id: 'c', name: 'unknown' }],
      calls: [{ unknown: {}, results: [['seen', { reward: 1, finished: true }]] }],
    },
  ],
  [
    'Google, as the text of Python',
    [
      { type: 'assistant', provider: 'google', raw: 'parts=[Part(...)]' },
      { type: 'tool_result', provider: 'google', tool_name: 'look', reward: 1, finished: true },
    ],
    { assistant: 'parts=[Part(...)]', calls: [{ look: {}, results: [[null, { reward: 1, finished: true }]] }] },
  ],
])('imports a log of react with %s', async (_provider, events, expected) => {
  const { trace, shown } = await trial(
    lines(...OPEN, ...events, { type: 'openreward_summary', agent: 'react', reward: 1, finished: true }),
  );

  expect(shown).toEqual([{ system: 'Use tools.' }, { user: 'Solve it.' }, expected]);
  expect(trace?.rollout_info).toEqual({ harness: 'react' });
});

test('imports a log of codex', async () => {
  const item = (parts: object) => ({ type: 'item.completed', item: { id: 'item_1', ...parts } });

  const { trace, shown } = await trial(
    lines(
      PROMPT,
      { type: 'thread.started', thread_id: 't' },
      item({ type: 'agent_message', text: 'I look.' }),
      item({
        ...{
          type: 'mcp_tool_call',
          server: 'openreward',
          tool: 'bash',
          arguments: { command: 'ls' },
          status: 'completed',
        },
        result: { content: [{ type: 'text', text: 'a.txt\n\n[OR_REWARD:{"r": 1.0, "f": true}]' }] },
      }),
      item({ type: 'command_execution', command: 'ls' }),
    ),
  );

  expect(shown.slice(2)).toEqual([
    {
      assistant: 'I look.',
      calls: [
        { bash: { command: 'ls' }, results: [[[{ type: 'text', text: 'a.txt' }], { reward: 1, finished: true }]] },
      ],
    },
  ]);
  expect(trace).toMatchObject({
    status: 'abandoned',
    metadata: { imported: { events: [{}, { item: { type: 'command_execution' } }] } },
  });
});

test('pairs calls and results whose ids are repeated in every turn or missing', async () => {
  const call = (id: string | undefined, n: number) => ({
    type: 'tool_call',
    tool_call_id: id,
    tool_name: 'add',
    arguments: { n },
  });
  const result = (id: string | undefined, output: string, reward: number) => ({
    ...{ type: 'tool_result', tool_call_id: id, output },
    reward,
  });

  const { shown } = await trial(
    lines(
      PROMPT,
      { type: 'assistant', text_content: 'one', tool_calls: [{ id: 'c', name: 'add', arguments: { n: 1 } }] },
      ...[call('c', 1), result('c', 'a', 1)],
      { type: 'assistant', text_content: 'two', tool_calls: [{ id: 'c', name: 'add', arguments: { n: 2 } }] },
      ...[call('c', 2), result('c', 'b', 2)],
      { type: 'assistant', text_content: 'more' },
      ...[call('c', 3), call('c', 4), result('c', 'c', 3), result('c', 'd', 4)],
      ...[call(undefined, 5), call(undefined, 6), result(undefined, 'e', 5), result(undefined, 'f', 6)],
    ),
  );

  const added = (n: number, output: string) => ({ add: { n }, results: [[output, { reward: n }]] });
  expect(shown.slice(2).map(({ calls }) => calls)).toEqual([
    [added(1, 'a')],
    [added(2, 'b')],
    [added(3, 'c'), added(4, 'd'), added(5, 'e'), added(6, 'f')],
  ]);
});

test('adds a reward that is only in the summary to the last result', async () => {
  const { shown } = await trial(
    lines(
      PROMPT,
      { type: 'tool_call', tool_call_id: 'c', tool_name: 'submit', arguments: {} },
      { type: 'tool_result', tool_call_id: 'c', output: 'done', reward: null, finished: true },
      { type: 'openreward_summary', final_reward: 0.5 },
    ),
  );

  expect(shown[2]?.calls?.[0]?.results).toEqual([['done', { finished: true, reward: 0.5 }]]);
});

test('imports several trials, and reports a line that is not JSON', async () => {
  const one = lines(PROMPT, { type: 'assistant', text_content: 'a' }, { type: 'openreward_summary', finished: true });

  const items = await imported(`${one}not json\n${one.replace('Solve it', 'Again')}`);

  expect(items.map(({ line, trace, reason }) => [line, reason ?? trace?.status])).toEqual([
    [4, 'the line is not JSON'],
    [1, 'finished'],
    [5, 'finished'],
  ]);
  expect(items[1]?.trace?.id).not.toBe(items[2]?.trace?.id);
  expect((await imported(one))[0]?.trace?.id).toBe(items[1]?.trace?.id);
});
