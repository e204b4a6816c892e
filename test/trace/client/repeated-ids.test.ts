import { describe, expect, test } from '@jest/globals';
import { eventsOf, message, toolUse } from './anthropic-fixtures.ts';
import { chunk, completion, functionCall, response, toolCall } from './openai-fixtures.ts';
import { converseWithAnthropic, converseWithOpenAI, outline } from './providers.ts';

const model = 'm';
const go = { role: 'user', content: 'go' } as const;
const done = { json: completion({ content: 'done' }) };

const calls = (...list: readonly (readonly [id: string, at: string])[]) => ({
  role: 'assistant' as const,
  content: null,
  tool_calls: list.map(([id, at]) => ({ ...toolCall(id, 'look', JSON.stringify({ at })), type: 'function' as const })),
});
const result = (tool_call_id: string, content: string) => ({ role: 'tool' as const, tool_call_id, content });

type Outline = ReturnType<typeof outline>;

/** Returns the calls of an outline with their results, without the messages. */
const callsOf = (messages: Outline) =>
  messages.flatMap((parts) => parts.filter((part) => part instanceof Object && 'outputs' in part));
const looked = (at: string, ...outputs: readonly unknown[]) => ({ look: { at }, outputs });

describe('chat completions', () => {
  test('pairs a history in which every turn repeats an id', async () => {
    await using stage = await converseWithOpenAI(done);

    await stage.client.chat.completions.create({
      model,
      messages: [
        go,
        calls(['call_0', 'door']),
        result('call_0', 'D'),
        calls(['call_0', 'wall']),
        result('call_0', 'W'),
      ],
    });

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door', 'D'), looked('wall', 'W')]);
  });

  test.each(['same', ''])('pairs parallel calls that all have the id %j', async (id) => {
    const turn = calls([id, 'door'], [id, 'wall']);
    await using stage = await converseWithOpenAI({ json: completion(turn, 'tool_calls') }, done, done);
    const history = [go, turn, result(id, 'D'), result(id, 'W')];

    await stage.client.chat.completions.create({ model, messages: [go] });
    await stage.client.chat.completions.create({ model, messages: history });
    await stage.client.chat.completions.create({
      model,
      messages: [...history, { role: 'assistant', content: 'done' }, go],
    });

    const logged = outline(await stage.messages());
    expect(callsOf(logged)).toEqual([looked('door', 'D'), looked('wall', 'W')]);
    expect(logged.map(([role]) => role)).toEqual(['user', 'assistant', 'assistant', 'user', 'assistant']);
  });

  test('pairs the results of later requests if a client clears an earlier result', async () => {
    const [first, second] = [calls(['call_0', 'door']), calls(['call_0', 'wall'])];
    await using stage = await converseWithOpenAI({ json: completion(first) }, { json: completion(second) }, done);

    await stage.client.chat.completions.create({ model, messages: [go] });
    await stage.client.chat.completions.create({ model, messages: [go, first, result('call_0', 'D')] });
    await stage.client.chat.completions.create({
      model,
      messages: [go, first, result('call_0', '(cleared)'), second, result('call_0', 'W')],
    });

    const logged = outline(await stage.messages());
    expect(callsOf(logged)).toEqual([looked('door', 'D'), looked('wall', 'W')]);
    expect(logged).toContainEqual(['user', [{ type: 'tool_result', id: 'call_0', output: '(cleared)' }]]);
  });

  test('logs a call once if the client invents the id that the server has not sent', async () => {
    await using stage = await converseWithOpenAI({ json: completion(calls(['', 'door'])) }, done);

    await stage.client.chat.completions.create({ model, messages: [go] });
    await stage.client.chat.completions.create({
      model,
      messages: [go, calls(['own_1', 'door']), result('own_1', 'D')],
    });

    expect(outline(await stage.messages())).toEqual([
      ['user', 'go'],
      ['assistant', [{ type: 'tool_use', id: 'look', name: 'look' }], looked('door', 'D')],
      ['assistant', 'done'],
    ]);
  });

  test('logs an id that is too long for a trace', async () => {
    const turn = calls(['x'.repeat(300), 'door']);
    await using stage = await converseWithOpenAI({ json: completion(turn) }, done);

    await stage.client.chat.completions.create({ model, messages: [go] });
    await stage.client.chat.completions.create({ model, messages: [go, turn, result('x'.repeat(300), 'D')] });

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door', 'D')]);
  });

  test('gives results to calls that the program has logged itself', async () => {
    await using stage = await converseWithOpenAI(done, done);
    const { id } = stage.trace.logMessage({ role: 'assistant', content: 'I look.' });
    const own = { call_id: 'call_0', name: 'look', arguments: { at: 'door' } };
    stage.trace.logAct({ parent_block_id: id, payload: own });
    const history = [
      go,
      calls(['call_0', 'door']),
      result('call_0', 'D'),
      calls(['call_0', 'wall']),
      result('call_0', 'W'),
    ];

    await stage.client.chat.completions.create({ model, messages: history });
    await stage.client.chat.completions.create({
      model,
      messages: [...history, { role: 'assistant', content: 'done' }, go],
    });

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door', 'D'), looked('wall', 'W')]);
  });
});

describe('streams of chat completions', () => {
  const piece = (at: string, fields: object) => {
    const called = { name: 'look', arguments: JSON.stringify({ at }) };
    return chunk({ tool_calls: [{ type: 'function', function: called, ...fields }] });
  };

  test.each<readonly [string, object, object]>([
    ['index 0 and no id', { index: 0 }, { index: 0 }],
    ['index 0 and an empty id', { index: 0, id: '' }, { index: 0, id: '' }],
    ['index 0 and the same id', { index: 0, id: 'c' }, { index: 0, id: 'c' }],
    ['the same id', { index: 0, id: 'c' }, { index: 1, id: 'c' }],
    ['neither index nor id', {}, {}],
    ['no index and the same id', { id: 'c' }, { id: 'c' }],
  ])('logs calls that have %s', async (_, first, second) => {
    const events = [piece('door', first), piece('wall', second), chunk({}, 'tool_calls')];
    await using stage = await converseWithOpenAI({ events });

    const stream = await stage.client.chat.completions.create({ model, messages: [go], stream: true });
    for await (const _chunk of stream);

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door'), looked('wall')]);
  });

  test('joins the deltas of a server that repeats the name in each of them', async () => {
    const part = (args: string) => ({ index: 0, id: 'c', function: { name: 'look', arguments: args } });
    const events = ['{"at":', '"door"', '}', ''].map((args) => chunk({ tool_calls: [part(args)] }));
    await using stage = await converseWithOpenAI({ events: [...events, chunk({}, 'tool_calls')] });

    const stream = await stage.client.chat.completions.create({ model, messages: [go], stream: true });
    for await (const _chunk of stream);

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door')]);
  });
});

describe('other APIs', () => {
  const ask = { model, max_tokens: 9, messages: [go] };

  test('pairs the parallel calls of a message of Anthropic that all have the same id', async () => {
    const turn = message([toolUse('t', 'look', { at: 'door' }), toolUse('t', 'look', { at: 'wall' })]);
    await using stage = await converseWithAnthropic(
      { json: turn },
      { json: message([{ type: 'text', text: 'done' }]) },
    );
    const results = ['D', 'W'].map((content) => ({ type: 'tool_result' as const, tool_use_id: 't', content }));

    const first = await stage.client.messages.create(ask);
    const messages = [
      go,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: results },
    ];
    await stage.client.messages.create({ ...ask, messages });

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door', 'D'), looked('wall', 'W')]);
  });

  test('logs the blocks of a stream of Anthropic that all have the same index', async () => {
    const whole = message([{ type: 'text', text: 'I look.' }, toolUse('t1', 'look', { at: 'door' })]);
    const events = eventsOf(whole).map((event) => ('index' in event ? { ...event, index: 0 } : event));
    await using stage = await converseWithAnthropic({ events });

    for await (const _event of await stage.client.messages.create({ ...ask, stream: true }));

    expect(outline(await stage.messages())[1]).toEqual(['assistant', 'I look.', looked('door')]);
  });

  test('pairs the results of a continued response whose calls all have the same id', async () => {
    const call = (at: string) => functionCall('look', JSON.stringify({ at }));
    const turn = response([call('door'), call('wall')]);
    await using stage = await converseWithOpenAI({ json: turn }, { json: response([]) });
    const output = (text: string) => ({ type: 'function_call_output' as const, call_id: 'call_1', output: text });

    await stage.client.responses.create({ model, input: 'go' });
    await stage.client.responses.create({ model, previous_response_id: 'resp_1', input: [output('D'), output('W')] });

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door', 'D'), looked('wall', 'W')]);
  });

  test('logs the items of a stream of responses that all have the same index', async () => {
    const events = ['door', 'wall'].flatMap((at) => {
      const item = { ...functionCall('look', ''), id: `fc_${at}`, call_id: `call_${at}` };
      const ended = { ...item, arguments: JSON.stringify({ at }) };
      return [
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.function_call_arguments.delta', output_index: 0, item_id: item.id, delta: ended.arguments },
        { type: 'response.output_item.done', output_index: 0, item: ended },
      ];
    });
    await using stage = await converseWithOpenAI({
      events: [...events, { type: 'response.completed', response: response([]) }],
    });

    for await (const _event of await stage.client.responses.create({ model, input: 'go', stream: true }));

    expect(callsOf(outline(await stage.messages()))).toEqual([looked('door'), looked('wall')]);
  });
});
