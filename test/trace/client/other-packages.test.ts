import { expect, test } from '@jest/globals';
import { wrapOpenAI } from '../../../src/trace/client/index.ts';
import { chunk, completion, toolCall } from './openai-fixtures.ts';
import { outline } from './providers.ts';
import { connect, startStore } from './store-and-proxy.ts';

test('logs a client of another package, with plain promises and generators', async () => {
  await using store = await startStore();
  await using traces = connect(store.url);
  const trace = traces.createTrace();
  const chunks = [chunk({ content: 'he' }), chunk({ content: 'llo' }, 'stop')];
  async function* stream() {
    yield* chunks;
  }
  const plain = { chat: { completions: { create: async (_: object) => stream() } } };
  const client = wrapOpenAI(plain, trace);

  const seen: object[] = [];
  for await (const each of await client.chat.completions.create({ messages: [{ role: 'user', content: 'go' }] })) {
    seen.push(each);
  }

  expect(seen).toEqual(chunks);
  expect((await traces.flush()).failed).toEqual([]);
  expect(outline((await store.stitched(trace.id)).messages)).toEqual([
    ['user', 'go'],
    ['assistant', 'hello'],
  ]);
});

test('separates parallel calls of a stream, whatever ids and indexes a server sends', async () => {
  await using store = await startStore();
  await using traces = connect(store.url);
  const trace = traces.createTrace();
  const piece = (index: number | undefined, id: string, name: string, given: string) =>
    chunk({ tool_calls: [{ ...(index === undefined ? {} : { index }), id, function: { name, arguments: given } }] });
  async function* stream() {
    // First with the same index for all; then without index, with id and name in each delta.
    yield* [piece(0, 'c1', 'f', '{"x":'), piece(0, 'c1', 'f', '1}'), piece(0, 'c2', 'g', '{"y":2}')];
    yield* [piece(undefined, 'c3', 'h', '{"z":'), piece(undefined, 'c3', 'h', '3}')];
    yield chunk({ audio: { transcript: 'hm' } }, 'tool_calls');
  }
  const client = wrapOpenAI({ chat: { completions: { create: async (_: object) => stream() } } }, trace);

  for await (const _each of await client.chat.completions.create({ messages: [{ role: 'user', content: 'go' }] }));
  await traces.flush();

  const [, response] = (await store.stitched(trace.id)).messages;
  expect(response?.tool_calls.map(({ payload }) => [payload.call_id, payload.name, payload.arguments])).toEqual([
    ['c1', 'f', { x: 1 }],
    ['c2', 'g', { y: 2 }],
    ['c3', 'h', { z: 3 }],
  ]);
  expect(JSON.stringify(response?.raw)).toContain('{"audio":[{"transcript":"hm"}]}');
});

test('logs a result that replaces another one as input of the model', async () => {
  await using store = await startStore();
  await using traces = connect(store.url);
  const trace = traces.createTrace();
  const responses = [
    completion({ tool_calls: [toolCall('c1', 'read', '{}')] }),
    completion({ content: 'so' }),
    completion({ content: 'done' }),
  ];
  const client = wrapOpenAI({ chat: { completions: { create: async (_: object) => responses.shift() } } }, trace);
  const [send, called] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: [toolCall('c1', 'read', '{}')] },
  ];
  const result = (content: string) => ({ role: 'tool', tool_call_id: 'c1', content });
  const create = (...messages: object[]) => client.chat.completions.create({ messages });

  await create(send);
  await create(send, called, result('a long result'));
  await create(send, called, result('[cut]'), { role: 'assistant', content: 'so' }, { role: 'user', content: 'and?' });
  await traces.flush();

  const { messages } = await store.stitched(trace.id);
  expect(messages[1]?.tool_calls[0]?.tool_results.map(({ payload }) => payload.output)).toEqual(['a long result']);
  expect(messages.map(({ payload }) => payload.content)).toContainEqual([
    { type: 'tool_result', id: 'c1', output: '[cut]' },
  ]);
});
