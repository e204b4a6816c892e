import { describe, expect, it } from '@jest/globals';
import type {
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources';
import { OrsClient, SessionLostError, ToolCallError } from 'ors-kit/client';
import { recordEpisode } from '../../../src/trace/client/index.ts';
import { start } from '../../support/client.ts';
import { lab } from '../../support/lab.ts';
import { completion, toolCall } from './openai-fixtures.ts';
import { converseWithOpenAI, outline } from './providers.ts';
import { connect, startStore, watchRejections } from './store-and-proxy.ts';

/** Starts a recorded episode of the environment `lab`. */
async function recorded() {
  const store = await startStore();
  const server = await start(lab().environment);
  const client = new OrsClient(server.url, { retry: { budgetMs: 500 } });
  const traces = connect(store.url);
  const trace = traces.createTrace({ environment: 'lab', split: 'train', task_index: 0, metadata: { mine: true } });
  const session = recordEpisode(await client.environment('lab').session({ split: 'train', index: 0 }), trace);
  return {
    server,
    session,
    trace,
    async stitched() {
      expect((await traces.flush()).failed).toEqual([]);
      return store.stitched(trace.id);
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await traces.close();
      await server.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

const text = (said: string) => [{ type: 'text', text: said, detail: null }];

describe('an episode', () => {
  it('logs prompt, tools, calls, results, rewards and status', async () => {
    await using stage = await recorded();
    const { session } = stage;

    const prompt = await session.prompt();
    await session.prompt();
    const tools = await session.tools({ format: 'openai' });
    await session.call('count');
    const result = await session.call('finish');
    await session.close();

    expect(result).toMatchObject({ reward: 1, finished: true });
    expect(session.finished).toBe(true);
    expect(session.handle).toEqual({ environment: 'lab', sid: session.sid });
    const { trace, messages } = await stage.stitched();
    expect(trace).toMatchObject({ status: 'finished', reward_sum: 1, error_count: 0 });
    expect(trace.metadata).toMatchObject({
      mine: true,
      tools: expect.arrayContaining([expect.objectContaining({ name: 'count' })]),
    });
    expect(trace.metadata.tools).toHaveLength(tools.length);
    const [requested, first, second] = messages;
    expect(requested?.payload).toEqual({ role: 'user', content: prompt });
    const [count, finish] = [first?.tool_calls[0], second?.tool_calls[0]];
    expect(first?.payload.content).toEqual([{ type: 'tool_use', id: count?.payload.call_id, name: 'count' }]);
    expect(count).toMatchObject({
      payload: { name: 'count', arguments: {} },
      tool_results: [
        {
          payload: { output: { blocks: text('1'), reward: null, finished: false, metadata: null } },
          extra: { finished: false },
        },
      ],
    });
    expect(count?.tool_results[0]?.extra).toEqual({ finished: false });
    expect(finish?.tool_results).toMatchObject([
      { payload: { output: { reward: 1 } }, extra: { reward: 1, finished: true } },
    ]);
    expect(messages).toHaveLength(3);
  });

  it('sets the status to abandoned if the session is closed before the end', async () => {
    await using stage = await recorded();

    await using session = stage.session;
    await session[Symbol.asyncDispose]();

    expect((await stage.stitched()).trace.status).toBe('abandoned');
  });

  it('keeps a status that was set explicitly', async () => {
    await using stage = await recorded();

    await stage.trace.finish({ status: 'error' });
    await stage.session.close();

    expect((await stage.stitched()).trace.status).toBe('error');
  });

  it('continues after a rejected call, and logs it', async () => {
    await using stage = await recorded();

    await expect(stage.session.call('nothing', { a: 1 })).rejects.toThrow(ToolCallError);
    await stage.session.close();

    const { trace, messages } = await stage.stitched();
    expect(trace).toMatchObject({ status: 'abandoned', error_count: 1 });
    const [result] = messages[0]?.tool_calls[0]?.tool_results ?? [];
    expect(result?.payload.output).toEqual({
      ok: false,
      error: expect.stringContaining('nothing'),
      reason: 'not_found',
    });
    expect(result?.extra).toEqual({ tool_error: true });
  });

  it('sets the status to error if a call is lost', async () => {
    using watch = watchRejections();
    await using stage = await recorded();
    const { sid } = stage.session;
    await fetch(`${stage.server.url}/delete`, { method: 'POST', headers: { 'X-Session-ID': sid } });

    await expect(stage.session.call('count')).rejects.toThrow(SessionLostError);
    await stage.session.close();

    const { trace, messages } = await stage.stitched();
    expect(trace.status).toBe('error');
    const [result] = messages[0]?.tool_calls[0]?.tool_results ?? [];
    expect(result?.payload.output).toMatchObject({ ok: false, transport: true });
    expect(watch.rejections).toEqual([]);
  });

  it('logs calls under the previous message, also in parallel', async () => {
    await using stage = await recorded();
    const { session, trace } = stage;

    const { id } = trace.logMessage({ role: 'assistant', content: 'I count twice.' });
    await Promise.all([session.call('count'), session.call('echo', { text: 'x' })]);
    await session.call('count');

    const { messages } = await stage.stitched();
    expect(messages.map(({ tool_calls }) => tool_calls.map(({ payload }) => payload.name))).toEqual([
      ['count', 'echo'],
      ['count'],
    ]);
    expect(messages[0]?.id).toBe(id);
  });

  it('adds a result to the call of the last turn if the same call of an earlier turn was never made', async () => {
    await using stage = await recorded();
    const { session, trace } = stage;
    for (const content of ['first', 'second']) {
      const { id } = trace.logMessage({ role: 'assistant', content });
      for (const n of [1, 2]) {
        const payload = { call_id: `${content}_${n}`, name: 'count', arguments: {} };
        trace.logAct({ parent_block_id: id, payload });
      }
    }

    await session.call('count');

    const { messages } = await stage.stitched();
    const calls = messages.flatMap(({ tool_calls }) => tool_calls);
    expect(calls.map(({ payload, tool_results }) => [payload.call_id, tool_results.length])).toEqual([
      ['first_1', 0],
      ['first_2', 0],
      ['second_1', 1],
      ['second_2', 0],
    ]);
  });

  it('adds results to the calls of a wrapped client, and logs nothing twice', async () => {
    const calls = ['{"text":"x"}', '{ "text": "x" }', '{"text":"y"}'].map((given, index) =>
      toolCall(`call_${index + 1}`, 'echo', given),
    );
    await using stage = await converseWithOpenAI(
      { json: completion({ tool_calls: calls }, 'tool_calls') },
      { json: completion({ content: 'done' }) },
    );
    await using server = await start(lab().environment);
    await using client = new OrsClient(server.url);
    const session = recordEpisode(await client.environment('lab').session({ split: 'train', index: 0 }), stage.trace);

    const messages: ChatCompletionMessageParam[] = [await session.prompt({ format: 'openai' })];
    const { choices } = await stage.client.chat.completions.create({ model: 'gpt-x', messages });
    const response = choices[0]?.message as ChatCompletionMessage;
    messages.push(response);
    for (const { id, function: called } of response.tool_calls as ChatCompletionMessageFunctionToolCall[]) {
      const result = await session.call(called.name, JSON.parse(called.arguments));
      messages.push({ role: 'tool', tool_call_id: id, content: result.text });
    }
    await stage.client.chat.completions.create({ model: 'gpt-x', messages });

    const outputs = (said: string) => [{ blocks: text(said), reward: null, finished: false, metadata: null }];
    expect(outline(await stage.messages())).toEqual([
      ['user', text('task {"n":0}, count 0')],
      [
        'assistant',
        ['call_1', 'call_2', 'call_3'].map((id) => ({ type: 'tool_use', id, name: 'echo' })),
        { echo: { text: 'x' }, outputs: outputs('x') },
        { echo: { text: 'x' }, outputs: outputs('x') },
        { echo: { text: 'y' }, outputs: outputs('y') },
      ],
      ['assistant', 'done'],
    ]);
  });
});
