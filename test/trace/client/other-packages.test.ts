import { expect, test } from '@jest/globals';
import { wrapOpenAI } from '../../../src/trace/client/index.ts';
import { chunk } from './openai-words.ts';
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
