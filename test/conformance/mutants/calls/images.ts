import type { Mutant } from '../mutant.ts';
import { changedBlocks, changedOutputs } from './of-calls.ts';

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
