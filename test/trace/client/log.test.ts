import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '../../../src/core/index.ts';
import { createTraceClient, type TraceHandle } from '../../../src/trace/client/index.ts';
import { connect, startStore, watchRejections } from './store-and-proxy.ts';

describe('logging', () => {
  it('builds the tree of the trace data model, with immediate ids, and receipts when awaited', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);

    const trace = traces.createTrace({ run: 'exp-1', environment: 'countdown', split: 'test', task_index: 3 });
    const message = trace.logMessage({ role: 'user', content: "what's the weather?", raw: { provider: 'x' } });
    const call = trace.logAct({
      parent_block_id: message.id,
      payload: { call_id: 'call_1', name: 'get_weather', arguments: { city: 'bogotá' } },
    });
    const result = trace.logObserve({
      parent_block_id: call.id,
      payload: { call_id: 'call_1', output: { forecast: '22°C cloudy' } },
      extra: { reward: 1 },
    });
    const thought = trace.logThink({ parent_block_id: message.id, payload: { text: 'celsius' } });
    const receipt = await message;
    const { acknowledged, failed } = await traces.flush();

    expect(receipt).toMatchObject({ id: message.id, replayed: false });
    expect({ acknowledged, failed }).toEqual({ acknowledged: 4, failed: [] });
    const { trace: record, messages, orphans } = await store.stitched(trace.id);
    expect(record).toMatchObject({ run: 'exp-1', environment: 'countdown', task_index: 3, reward_sum: 1 });
    expect(messages).toMatchObject([
      {
        id: message.id,
        raw: { provider: 'x' },
        thinks: [{ id: thought.id, payload: { text: 'celsius' } }],
        tool_calls: [{ id: call.id, tool_results: [{ id: result.id, extra: { reward: 1 } }] }],
        child_order: [call.id, thought.id],
      },
    ]);
    expect(orphans).toEqual({ tool_calls: [], thinks: [], tool_results: [] });
  });

  it('sets the status after all earlier blocks', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);

    const trace = traces.createTrace();
    trace.logMessage({ role: 'user', content: 'hello' });
    const finished = await trace.finish({ tags: ['good'] });
    const failed = await traces.createTrace().finish({ status: 'error' });

    expect(finished).toMatchObject({ status: 'finished', tags: ['good'], block_count: 1 });
    expect(failed).toMatchObject({ status: 'error' });
  });

  it('resolves an awaited trace with its handle, also through an async function', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const begin = async (): Promise<TraceHandle> => traces.createTrace({ name: 'awaited' });

    const trace = await begin();
    const known = await store.store.trace('default', trace.id);
    await trace.logMessage({ role: 'system', content: 'be brief' });

    expect(known.name).toBe('awaited');
    expect(await store.blocks(trace.id)).toHaveLength(1);
  });

  it('logs to a trace that another client created', async () => {
    await using store = await startStore();
    await using first = connect(store.url);
    await using second = connect(store.url);
    const { id } = await first.createTrace();

    const graded = second.trace(id);
    await graded.logMessage({ role: 'user', content: 'late reward', extra: { reward: 0.5 } });

    expect(await store.store.trace('default', id)).toMatchObject({ reward_sum: 0.5 });
  });

  it('stores a block once if it is logged twice with the same id', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = traces.createTrace();

    const first = await trace.logMessage({ id: 'tb_mine', role: 'user', content: 'x' });
    const second = await trace.logMessage({ id: 'tb_mine', role: 'user', content: 'x' });

    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(await store.blocks(trace.id)).toHaveLength(1);
  });

  it('logs the value at the time of the call, even if the object changes later', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = traces.createTrace();
    const content = [{ type: 'text', text: 'before' }];

    const message = trace.logMessage({ role: 'user', content });
    content[0] = { type: 'text', text: 'after' };
    await message;

    const [block] = await store.blocks(trace.id);
    expect(block?.payload.content).toEqual([{ type: 'text', text: 'before' }]);
  });

  it.each([
    ['JSON text of an object', '{"a": 1}', { a: 1 }],
    ['no text', '', {}],
    ['text that is not JSON', '{"a": ', { $invalid_json: '{"a": ' }],
    ['JSON text of a list', '[1]', [1]],
    ['JSON text of a text', '"a"', 'a'],
    ['JSON text of null', 'null', null],
    ['a list', [1], [1]],
    ['a number', 5, 5],
  ])('keeps arguments that are %s', async (_, given, stored) => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = traces.createTrace();

    const message = trace.logMessage({ role: 'assistant', content: 'I call.' });
    const call = trace.logAct({ parent_block_id: message.id, payload: { name: 'look', arguments: given } });
    await traces.flush();

    const [, block] = await store.blocks(trace.id);
    expect(block?.payload).toEqual({ name: 'look', arguments: stored, call_id: call.id });
  });

  it('keeps a number in the text of arguments that a double would change', async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = traces.createTrace();

    const message = trace.logMessage({ role: 'assistant', content: 'I call.' });
    trace.logAct({ parent_block_id: message.id, payload: { name: 'look', arguments: '{"n":12345678901234567890}' } });
    await traces.flush();

    const [, block] = await store.blocks(trace.id);
    expect(stringifyJson(block?.payload.arguments)).toBe('{"n":12345678901234567890}');
  });

  it('rejects a call whose arguments are not JSON with strictArguments, and logs the rest', async () => {
    await using store = await startStore();
    await using traces = connect(store.url, { strictArguments: true });
    const trace = traces.createTrace();
    const message = trace.logMessage({ role: 'assistant', content: 'I call.' });
    const act = (args: string) =>
      trace.logAct({ parent_block_id: message.id, payload: { name: 'look', arguments: args } });

    const broken = act('{"a": ');
    const others = [act('{"a": 1}'), act('')];
    await traces.flush();

    await expect(broken).rejects.toMatchObject({
      code: 'VALIDATION',
      status: 422,
      details: { issues: [{ path: '/payload/arguments', rule: 'arguments_not_json' }] },
    });
    expect((await store.blocks(trace.id)).map(({ id }) => id)).toEqual([message.id, ...others.map(({ id }) => id)]);
    expect(traces.reported).toMatchObject([{ id: broken.id }]);
  });

  it.each([
    [
      'a reward that is not a number',
      { role: 'user', content: 'x', extra: { reward: Number.NaN } },
      'extra.reward is NaN',
    ],
    ['a map', { role: 'user', content: [{ type: 'x', map: new Map() }] }, 'payload.content[0].map is a Map'],
    ['an integer without end', { role: 'user', content: 'x', raw: { n: 1n } }, 'BigInt'],
  ])('rejects %s with its path, and logs the rest', async (_, message, said) => {
    using watch = watchRejections();
    await using store = await startStore();
    await using traces = connect(store.url);
    const trace = traces.createTrace();

    // Possible in JavaScript only, since the types forbid it.
    const bad = trace.logMessage(message as never);
    trace.logMessage({ role: 'user', content: 'y' });
    const { acknowledged, failed } = await traces.flush();

    expect({ acknowledged, failed }).toMatchObject({
      acknowledged: 1,
      failed: [{ id: bad.id, error: { code: 'NOT_JSON' } }],
    });
    expect(failed[0]?.error.message).toContain(said);
    expect(traces.reported).toMatchObject([{ id: bad.id, trace_id: trace.id }]);
    expect(watch.rejections).toEqual([]);
  });

  it('fails only blocks that are logged after close', async () => {
    await using store = await startStore();
    const traces = connect(store.url);
    const trace = traces.createTrace();
    trace.logMessage({ role: 'user', content: 'in time' });

    const report = await traces.close();
    const late = trace.logMessage({ role: 'user', content: 'too late' });

    expect(report).toEqual({ acknowledged: 1, failed: [] });
    await expect(late).rejects.toMatchObject({ code: 'CLOSED' });
    expect(await store.blocks(trace.id)).toHaveLength(1);
  });
});

describe('the options', () => {
  it.each([
    ['no url', { url: '' }, 'ORS_TRACES_URL'],
    ['another protocol', { url: 'ftp://x' }, "invalid URL 'ftp://x': expected http or https"],
    ['a password', { url: 'http://me:secret@x' }, 'pass them as apiKey'],
    [
      'no time at all',
      { url: 'http://x', retryTimeoutMs: 0 },
      'invalid retryTimeoutMs: expected a positive number, got 0',
    ],
    [
      'an unknown way to treat large outputs',
      { url: 'http://x', oversize: 'thorw' as 'throw' },
      "invalid oversize: expected 'split' or 'throw', got \"thorw\"",
    ],
  ])('rejects %s with advice', (_, options, said) => {
    expect(() => createTraceClient(options)).toThrow(said);
  });

  it('reads missing options from the environment', async () => {
    await using store = await startStore();
    const before = { ...process.env };
    Object.assign(process.env, { ORS_TRACES_URL: `${store.url}/`, ORS_TRACES_ORGANIZATION: 'lab' });
    const traces = createTraceClient();
    process.env = before;

    const { id } = await traces.createTrace({ name: 'of lab' });
    await traces.close();

    expect((await store.store.trace('lab', id)).name).toBe('of lab');
  });
});
