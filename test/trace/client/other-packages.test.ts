import { expect, test } from '@jest/globals';
import { wrapOpenAI } from '../../../src/trace/client/index.ts';
import { chunk, completion, toolCall } from './openai-words.ts';
import { outline } from './providers.ts';
import { connect, startStore } from './stage.ts';

test('a client of another package is logged too, whose answers are plain promises and streams plain generators', async () => {
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

test('parallel calls of a stream are told apart however a server names their pieces', async () => {
  await using store = await startStore();
  await using traces = connect(store.url);
  const trace = traces.createTrace();
  const piece = (index: number | undefined, id: string, name: string, given: string) =>
    chunk({ tool_calls: [{ ...(index === undefined ? {} : { index }), id, function: { name, arguments: given } }] });
  async function* stream() {
    // All at one index; then without index, id and name in each piece.
    yield* [piece(0, 'c1', 'f', '{"x":'), piece(0, 'c1', 'f', '1}'), piece(0, 'c2', 'g', '{"y":2}')];
    yield* [piece(undefined, 'c3', 'h', '{"z":'), piece(undefined, 'c3', 'h', '3}')];
    yield chunk({ audio: { transcript: 'hm' } }, 'tool_calls');
  }
  const client = wrapOpenAI({ chat: { completions: { create: async (_: object) => stream() } } }, trace);

  for await (const _each of await client.chat.completions.create({ messages: [{ role: 'user', content: 'go' }] }));
  await traces.flush();

  const [, answer] = (await store.stitched(trace.id)).messages;
  expect(answer?.tool_calls.map(({ payload }) => [payload.call_id, payload.name, payload.arguments])).toEqual([
    ['c1', 'f', { x: 1 }],
    ['c2', 'g', { y: 2 }],
    ['c3', 'h', { z: 3 }],
  ]);
  expect(JSON.stringify(answer?.raw)).toContain('{"audio":[{"transcript":"hm"}]}');
});

test('a result that an agent replaced by another is logged as what the model was told', async () => {
  await using store = await startStore();
  await using traces = connect(store.url);
  const trace = traces.createTrace();
  const answers = [
    completion({ tool_calls: [toolCall('c1', 'read', '{}')] }),
    completion({ content: 'so' }),
    completion({ content: 'done' }),
  ];
  const client = wrapOpenAI({ chat: { completions: { create: async (_: object) => answers.shift() } } }, trace);
  const [ask, called] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: [toolCall('c1', 'read', '{}')] },
  ];
  const result = (content: string) => ({ role: 'tool', tool_call_id: 'c1', content });
  const create = (...messages: object[]) => client.chat.completions.create({ messages });

  await create(ask);
  await create(ask, called, result('a long result'));
  await create(ask, called, result('[cut]'), { role: 'assistant', content: 'so' }, { role: 'user', content: 'and?' });
  await traces.flush();

  const { messages } = await store.stitched(trace.id);
  expect(messages[1]?.tool_calls[0]?.tool_results.map(({ payload }) => payload.output)).toEqual(['a long result']);
  expect(messages.map(({ payload }) => payload.content)).toContainEqual([
    { type: 'tool_result', id: 'c1', output: '[cut]' },
  ]);
});
