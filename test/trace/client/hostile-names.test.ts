import { expect, test } from '@jest/globals';
import { chat } from '../../../src/trace/client/providers/openai-chat.ts';

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'keeps stream fields of a provider with the name %s',
  (name) => {
    const collector = chat.collect();
    for (const piece of ['a', 'b']) {
      collector.add({
        choices: [
          {
            index: 0,
            delta: Object.fromEntries([[name, piece]]),
            logprobs: Object.fromEntries([[name, [piece]]]),
          },
        ],
      });
    }

    const { choices } = JSON.parse(JSON.stringify(collector.result()));

    expect(Object.entries(choices[0].pieces)).toEqual([[name, ['a', 'b']]]);
    expect(Object.entries(choices[0].logprobs)).toEqual([[name, ['a', 'b']]]);
    expect(Object.prototype).not.toHaveProperty('push');
  },
);
