import type { Mutant } from '../mutant.ts';
import { changedBlocks, changedOutputs, endFrame, endingIn, inputOf, outputWith } from './frames.ts';

/** The image of `image` changed, the texts around it as they are. */
const changedImage = (change: (block: Record<string, unknown>) => object) =>
  changedBlocks('image', (blocks) => blocks.map((block) => (block.type === 'image' ? change(block) : block)));

export const imageMutants: readonly Mutant[] = [
  {
    name: 'the type of an image is its media type',
    caughtBy: ['type/image-block'],
    wire: () => ({ frames: changedImage((block) => ({ ...block, type: block.mimeType })) }),
  },
  {
    name: 'an image is a data URL',
    caughtBy: ['type/image-base64'],
    wire: () => ({ frames: changedImage((block) => ({ ...block, data: `data:image/png;base64,${block.data}` })) }),
  },
  {
    name: 'an image is in the base64 of URLs, without padding',
    caughtBy: ['type/image-base64'],
    wire: () => ({
      frames: changedImage((block) => ({
        ...block,
        data: Buffer.from(String(block.data), 'base64').toString('base64url'),
      })),
    }),
  },
  {
    name: 'mimeType is spelled mime_type',
    caughtBy: ['type/image-mime-type'],
    wire: () => ({ frames: changedImage(({ mimeType, ...block }) => ({ ...block, mime_type: mimeType })) }),
  },
  {
    name: 'texts come before images',
    caughtBy: ['call/mixed-blocks'],
    wire: () => ({ frames: changedBlocks('image', ([first, second, third]) => [first, third, second]) }),
  },
  {
    name: 'an image is another one',
    caughtBy: ['call/exact-content'],
    wire: () => ({ frames: changedImage((block) => ({ ...block, data: 'AAAA' })) }),
  },
  {
    name: 'accents of a text are composed',
    caughtBy: ['call/exact-content'],
    wire: () => ({
      frames: changedBlocks('echo', (blocks) =>
        blocks.map((block) => ({ ...block, text: String(block.text).normalize('NFC') })),
      ),
    }),
  },
  {
    name: 'metadata loses characters outside of ASCII',
    caughtBy: ['call/exact-content'],
    wire: () => ({
      frames: changedOutputs('image', (output) => ({
        ...output,
        metadata: JSON.parse(JSON.stringify(output.metadata).replace(/[^\0-\x7f]/g, '?')),
      })),
    }),
  },
];

/** Without members of objects that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutNulls(each)]));
}

export const textMutants: readonly Mutant[] = [
  {
    name: 'a text ends at U+0000',
    caughtBy: ['call/odd-text'],
    wire: () => ({
      frames: changedBlocks('odd_text', (blocks) =>
        blocks.map((block) => ({ ...block, text: String(block.text).split('\0')[0] })),
      ),
    }),
  },
  {
    name: 'a lone surrogate breaks the JSON',
    caughtBy: ['call/odd-text', 'call/valid-inputs'],
    wire: () => ({
      frames: endingIn('odd_text', (call) =>
        inputOf(call).kind === 'surrogate'
          ? 'event: end\ndata: {"ok":true,"output":{"blocks":[{"text":"a\n\n'
          : undefined,
      ),
    }),
  },
  {
    name: 'members of metadata that are null are left out',
    caughtBy: ['type/any-json'],
    wire: () => ({
      frames: changedOutputs('echo', (output) => ({ ...output, metadata: withoutNulls(output.metadata) })),
    }),
  },
  {
    name: 'a task loses the fields that its environment does not declare',
    caughtBy: ['type/any-json'],
    wire: () => ({
      frames: changedOutputs('show_task', (output) => {
        const { any: _, ...task } = (output.metadata as { task: Record<string, unknown> }).task;
        return { ...output, metadata: { task } };
      }),
    }),
  },
];

/** Output of `bad_output` for one kind. */
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
