import type { Mutant } from '../mutant.ts';
import { endFrame, endingIn, inputOf, outputWith } from './of-calls.ts';

/** What `bad_output` gives for one kind. */
const passedOn = (kind: string, frame: string) => ({
  frames: endingIn('bad_output', (call) => (inputOf(call).kind === kind ? frame : undefined)),
});

const success = (fields: object) => endFrame({ ok: true, output: outputWith(fields) });

export const badOutputMutants: readonly Mutant[] = [
  {
    name: 'an output without blocks is passed on',
    caughtBy: ['call/no-blocks'],
    wire: () => passedOn('no_blocks', success({ blocks: [] })),
  },
  {
    name: 'a reward that is not a number is passed on as NaN',
    caughtBy: ['call/bad-reward'],
    wire: () => passedOn('nan_reward', success({ reward: 5 }).replace('"reward":5', '"reward":NaN')),
  },
  {
    name: 'an infinite reward is passed on as 1e999',
    caughtBy: ['call/bad-reward'],
    wire: () => passedOn('infinite_reward', success({ reward: 5 }).replace('"reward":5', '"reward":1e999')),
  },
  {
    name: 'a reward that is a text is passed on',
    caughtBy: ['call/bad-reward'],
    wire: () => passedOn('text_reward', success({ reward: '1' })),
  },
  {
    name: 'a block of an unknown type is passed on',
    caughtBy: ['type/unknown-block'],
    wire: () =>
      passedOn('unknown_block', success({ blocks: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] })),
  },
  {
    name: 'a text block without a text is passed on',
    caughtBy: ['type/no-text'],
    wire: () => passedOn('no_text', success({ blocks: [{ type: 'text' }] })),
  },
];
