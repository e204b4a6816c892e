import type { Mutant } from '../mutant.ts';
import { changedBlocks, changedOutputs, isSample } from './of-calls.ts';

export const outputMutants: readonly Mutant[] = [
  {
    name: 'the content of a single text is not an array',
    caughtBy: ['call/output'],
    wire: () => ({ frames: changedBlocks(isSample, ([block]) => block) }),
  },
  {
    name: 'finished is null instead of false',
    caughtBy: ['call/output', 'call/finished-default'],
    wire: () => ({
      frames: changedOutputs(undefined, (output) => ({ ...output, finished: output.finished ? true : null })),
    }),
  },
  {
    name: 'finished is true if a tool does not set it',
    caughtBy: ['call/finished-default'],
    wire: () => ({ frames: changedOutputs('count', (output) => ({ ...output, finished: true })) }),
  },
  {
    name: 'null fields of an output are omitted',
    caughtBy: ['call/nullable-keys'],
    wire: () => ({
      frames: changedOutputs(undefined, (output) =>
        Object.fromEntries(Object.entries(output).filter(([, value]) => value !== null)),
      ),
    }),
  },
  {
    name: 'an output has no blocks',
    caughtBy: ['call/blocks-not-empty'],
    wire: () => ({ frames: changedBlocks(isSample, () => []) }),
  },
  {
    name: 'a reward is a text',
    caughtBy: ['call/reward-type'],
    wire: () => ({ frames: changedOutputs(isSample, (output) => ({ ...output, reward: '0.0' })) }),
  },
  {
    name: 'missing metadata is an empty array',
    caughtBy: ['type/metadata'],
    wire: () => ({ frames: changedOutputs(isSample, (output) => ({ ...output, metadata: output.metadata ?? [] })) }),
  },
  {
    name: 'the type of a block is capitalized',
    caughtBy: ['type/block-type'],
    wire: () => ({ frames: changedBlocks(isSample, (blocks) => blocks.map((block) => ({ ...block, type: 'Text' }))) }),
  },
  {
    name: 'the text of a text block is called content',
    caughtBy: ['type/text-block'],
    wire: () => ({
      frames: changedBlocks(isSample, (blocks) => blocks.map(({ text, ...block }) => ({ ...block, content: text }))),
    }),
  },
  {
    name: 'the detail of a text block is a text',
    caughtBy: ['type/detail'],
    wire: () => ({ frames: changedBlocks(isSample, (blocks) => blocks.map((block) => ({ ...block, detail: '' }))) }),
  },
];
