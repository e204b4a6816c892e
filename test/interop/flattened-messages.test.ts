import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { flattenMessages, serializeMessages } from '../../src/protocol/index.ts';
import fc, { unicode } from '../support/fast-check.ts';
import { describeWithPython, runPlayer } from './python.ts';

const COUNT = 2_000;

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e-3, max: 1e-3, noNaN: true }),
  fc.integer(),
);
const key = fc
  .oneof(unicode({ maxLength: 5 }), fc.constantFrom('id', 'a b', 'toString', '7'))
  .filter((each) => each !== '__proto__');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    number,
    unicode({ maxLength: 20 }),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  record: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
}));
const input = fc.dictionary(key, value, { maxKeys: 4 });

const detail = fc.option(fc.dictionary(fc.constantFrom('a', 'b'), unicode({ maxLength: 5 })));
const string = unicode({ maxLength: 30 });
const content = fc.oneof(
  fc.record({ type: fc.constant('text'), text: string, detail }),
  fc.record({ type: fc.constant('image'), data: fc.constant('AAAA'), mimeType: fc.constant('image/png'), detail }),
);
const reasoning = fc.record({ type: fc.constant('reasoning'), text: string, signature: fc.option(string), detail });
const call = fc.record({ type: fc.constant('tool_call'), id: string, name: string, input, detail });
const result = fc.record({
  type: fc.constant('tool_result'),
  tool_call_id: string,
  blocks: fc.array(content, { maxLength: 3 }),
  is_error: fc.boolean(),
  detail,
});
const messageOf = (role: string, block: fc.Arbitrary<unknown>) =>
  fc.record({ role: fc.constant(role), blocks: fc.array(block, { maxLength: 4 }), detail });
const conversation = fc.array(
  fc.oneof(
    messageOf('system', content),
    messageOf('user', fc.oneof(content, result)),
    messageOf('assistant', fc.oneof(content, reasoning, call)),
  ),
  { maxLength: 4 },
);

describeWithPython()('the prompt of a conversation', () => {
  test('is the same as that of openreward, byte for byte', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ors-flattened-'));
    const path = join(folder, 'prompts.jsonl');
    const lines = fc.sample(conversation, COUNT).map((random) => {
      // As it is sent, so that both sides see the same order of keys.
      const messages = JSON.parse(JSON.stringify(random));
      return JSON.stringify([messages, JSON.stringify(flattenMessages(serializeMessages(messages, 'messages')))]);
    });
    await writeFile(path, lines.map((line) => `${line}\n`).join(''));

    const { lines: printed } = await runPlayer('flattened_messages.py', [path]);

    expect(printed).toEqual([`ok flattened ${COUNT}`]);
    await rm(folder, { recursive: true });
  });
});
