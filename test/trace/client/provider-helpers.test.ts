import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import type { MessageParam } from '@anthropic-ai/sdk/resources';
import { describe, expect, it } from '@jest/globals';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { eventsOf, message, toolUse } from './anthropic-fixtures.ts';
import { chunk, completion, functionCall, response, said, toolCall } from './openai-fixtures.ts';
import { converseWithAnthropic, converseWithOpenAI, outline } from './providers.ts';

const go = { role: 'user', content: 'go' } as const;
const ask = { model: 'gpt-x', messages: [go] };
const claude = { model: 'claude-x', max_tokens: 100 };
const text = (words: string) => ({ type: 'text', text: words });

describe("helpers of OpenAI's package", () => {
  it('logs a call once, with the content of the provider only', async () => {
    const json = completion({ content: '{"n":1}' });
    await using stage = await converseWithOpenAI({ json });
    const response_format = zodResponseFormat(z.object({ n: z.number() }), 'answer');

    const parsed = await stage.client.chat.completions.parse({ ...ask, response_format });

    expect(parsed.choices[0]?.message.parsed).toEqual({ n: 1 });
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      ['assistant', '{"n":1}'],
    ]);
    expect(logged[1]?.raw).toMatchObject({ response: json });
    expect(JSON.stringify(logged[1]?.raw)).not.toContain('parsed');
  });

  it('logs a response that the helper rejects', async () => {
    await using stage = await converseWithOpenAI({ json: completion({ content: '{"n":' }, 'length') });
    const response_format = zodResponseFormat(z.object({ n: z.number() }), 'answer');

    const asking = stage.client.chat.completions.parse({ ...ask, response_format });

    await expect(asking).rejects.toThrow('length limit');
    expect(outline(await stage.messages())[1]).toEqual(['assistant', '{"n":']);
  });

  it('logs a stream that the helper reads itself', async () => {
    const events = [chunk({ role: 'assistant', content: 'once ' }), chunk({ content: 'upon' }), chunk({}, 'stop')];
    await using stage = await converseWithOpenAI({ events });
    const heard: string[] = [];

    const stream = stage.client.chat.completions.stream(ask).on('content', (delta) => heard.push(delta));
    const final = await stream.finalChatCompletion();

    expect(heard).toEqual(['once ', 'upon']);
    expect(final.choices[0]?.message.content).toBe('once upon');
    expect(outline(await stage.messages())).toEqual([
      ['user', 'go'],
      ['assistant', 'once upon'],
    ]);
  });

  it('logs each turn of a helper that runs tools', async () => {
    const calls = [toolCall('call_1', 'add', '{"a":1,"b":2}'), toolCall('call_2', 'add', '{"a":3,"b":4}')];
    const first = { json: completion({ tool_calls: calls }, 'tool_calls') };
    await using stage = await converseWithOpenAI(first, { json: completion({ content: '3 and 7' }) });
    const parameters = { type: 'object', properties: {} };
    const add = ({ a, b }: { a: number; b: number }) => String(a + b);

    const runner = stage.client.chat.completions.runTools({
      ...ask,
      tools: [
        { type: 'function', function: { name: 'add', parse: JSON.parse, function: add, description: '', parameters } },
      ],
    });

    expect(await runner.finalContent()).toBe('3 and 7');
    expect(outline(await stage.messages()).slice(1)).toEqual([
      [
        'assistant',
        calls.map(({ id }) => ({ type: 'tool_use', id, name: 'add' })),
        { add: { a: 1, b: 2 }, outputs: ['3'] },
        { add: { a: 3, b: 4 }, outputs: ['7'] },
      ],
      ['assistant', '3 and 7'],
    ]);
  });

  it('logs parsed and streamed responses', async () => {
    const whole = response([functionCall('look', '{"at":1}'), said('Looking.')]);
    const created = { type: 'response.created', response: response([], { status: 'in_progress' }) };
    await using stage = await converseWithOpenAI(
      { json: whole },
      { events: [created, { type: 'response.completed', response: response([said('Bye.')]) }] },
    );

    const parsed = await stage.client.responses.parse({ model: 'gpt-x', input: 'go' });
    const final = await stage.client.responses.stream({ model: 'gpt-x', input: 'bye' }).finalResponse();

    expect([parsed.output_text, final.output_text]).toEqual(['Looking.', 'Bye.']);
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      ['assistant', 'Looking.', { look: { at: 1 }, outputs: [] }],
      ['user', 'bye'],
      ['assistant', 'Bye.'],
    ]);
    expect(logged[1]?.raw).toMatchObject({ response: whole });
    expect(JSON.stringify(logged[1]?.raw)).not.toMatch(/parsed|output_text":"/);
  });
});

describe("helpers of Anthropic's package", () => {
  const add = betaZodTool({
    name: 'add',
    description: 'Adds.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }) => String(a + b),
  });
  const calls = [toolUse('toolu_1', 'add', { a: 1, b: 2 }), toolUse('toolu_2', 'add', { a: 3, b: 4 })];
  const first = message([text('I add.'), ...calls], { stop_reason: 'tool_use' });
  const last = message([text('3 and 7')], { id: 'msg_2' });

  it.each(['messages', 'beta'] as const)('logs a stream that the helper reads itself: %s', async (name) => {
    await using stage = await converseWithAnthropic({ events: eventsOf(first) });
    const { client } = stage;
    const request = { ...claude, messages: [go] };
    const heard: string[] = [];
    const hear = (delta: string) => void heard.push(delta);

    const stream =
      name === 'beta'
        ? client.beta.messages.stream(request).on('text', hear)
        : client.messages.stream(request).on('text', hear);
    const final = await stream.finalMessage();

    expect(heard.join('')).toBe('I add.');
    expect(final.content).toMatchObject(first.content);
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      ['assistant', 'I add.', { add: { a: 1, b: 2 }, outputs: [] }, { add: { a: 3, b: 4 }, outputs: [] }],
    ]);
    expect(logged[1]?.raw).toMatchObject({ response: first });
  });

  it('logs an aborted stream as far as it was received', async () => {
    await using stage = await converseWithAnthropic({ events: eventsOf(first).slice(0, 5), ending: 'open' });

    const stream = stage.client.messages.stream({ ...claude, messages: [go] });
    stream.once('text', () => stream.abort());

    await expect(stream.finalMessage()).rejects.toThrow('Request was aborted');
    await stage.gone;
    const logged = await stage.messages();
    expect(logged[1]?.extra).toMatchObject({ aborted: true });
    expect('I add.'.startsWith(String(logged[1]?.payload.content))).toBe(true);
  });

  it.each([
    ['with a stream', true, true],
    ['without a stream', false, true],
    ['with a stream, each request with all messages', true, false],
    ['without a stream, each request with all messages', false, false],
  ])('logs each turn of a helper that runs tools %s', async (_, stream, isThread) => {
    const answers = [first, last].map((each) => (stream ? { events: eventsOf(each) } : { json: each }));
    await using stage = await converseWithAnthropic(...answers);

    const runner = stage.client.beta.messages.toolRunner({
      ...claude,
      messages: [go],
      tools: [add],
      stream,
      ...(isThread ? {} : { thread: false }),
    });
    const final = await runner.runUntilDone();

    expect(final.content).toMatchObject([{ text: '3 and 7' }]);
    expect(stage.received[1]?.body.messages).toHaveLength(isThread ? 1 : 3);
    expect(outline(await stage.messages())).toEqual([
      ['user', 'go'],
      ['assistant', 'I add.', { add: { a: 1, b: 2 }, outputs: ['3'] }, { add: { a: 3, b: 4 }, outputs: ['7'] }],
      ['assistant', '3 and 7'],
    ]);
  });

  it('logs every message if the provider stores the conversation', async () => {
    const yes = message([text('yes')]);
    await using stage = await converseWithAnthropic({ json: yes }, { events: eventsOf(yes) });
    const thread = stage.client.beta.messages.thread({ ...claude, system: 'be brief' });
    const sure: MessageParam = { role: 'user', content: 'sure?' };

    await thread.send(sure);
    await thread.stream(sure).finalMessage();

    expect(stage.received[1]?.body).toMatchObject({ thread: { type: 'continue' }, messages: [sure] });
    expect(outline(await stage.messages())).toEqual([
      ['system', 'be brief'],
      ['user', 'sure?'],
      ['assistant', 'yes'],
      ['user', 'sure?'],
      ['assistant', 'yes'],
    ]);
  });
});

describe('raw responses', () => {
  const json = completion({ content: 'bare' });
  const events = [chunk({ content: 'ba' }), chunk({ content: 're' }, 'stop')];

  it.each([
    ['json()', false, (bare: Response) => bare.json()],
    ['text()', false, (bare: Response) => bare.text()],
    ['body', false, (bare: Response) => new Response(bare.body).text()],
    ['text() of a stream', true, (bare: Response) => bare.text()],
    ['body of a stream', true, (bare: Response) => new Response(bare.body).text()],
  ])('logs a raw response when its %s is read', async (_, stream, read) => {
    await using stage = await converseWithOpenAI(stream ? { events } : { json });

    const bare = await stage.client.chat.completions.create({ ...ask, stream }).asResponse();
    const got = await read(bare);

    expect(bare).toBeInstanceOf(Response);
    expect(JSON.stringify(got)).toContain('chatcmpl-1');
    expect(outline(await stage.messages())).toEqual([
      ['user', 'go'],
      ['assistant', 'bare'],
    ]);
  });

  it('logs a raw response as far as it was read', async () => {
    await using stage = await converseWithOpenAI({ events: [chunk({ content: 'ba' })], ending: 'open' });

    const bare = await stage.client.chat.completions.create({ ...ask, stream: true }).asResponse();
    // The event may arrive in pieces.
    let read = '';
    for await (const bytes of bare.body ?? []) {
      read += Buffer.from(bytes).toString();
      if (read.endsWith('\n\n')) break;
    }

    await stage.gone;
    const logged = await stage.messages();
    expect(logged[1]?.extra).toMatchObject({ aborted: true });
  });

  it('does not log a response again that is also parsed', async () => {
    await using stage = await converseWithOpenAI({ json }, { json });
    const { completions } = stage.client.chat;

    const promise = completions.create(ask);
    const { status } = await promise.asResponse();
    await promise;
    const { data, request_id } = await completions
      .create({ ...ask, messages: [{ role: 'user', content: 'b' }] })
      .withResponse();

    expect([status, data.id, request_id]).toEqual([200, 'chatcmpl-1', 'req_1']);
    expect(outline(await stage.messages()).map(([, content]) => content)).toEqual(['go', 'bare', 'b', 'bare']);
  });
});
