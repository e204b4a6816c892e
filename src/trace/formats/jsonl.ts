import { toBatchIterable } from '../model/index.ts';
import { type ExportFormat, JSON_LINES, toJsonLine } from './format.ts';

/**
 * Traces with all that a store knows of them: a line `{"trace": ...}`, then a line `{"block": ...}` for each of its
 * blocks, in their order. Importing it gives the same ids and content; times, counters and the store's own metadata of
 * blocks are new. The bytes of blobs are left out: a message refers to them by their hash.
 */
export const jsonl: ExportFormat = {
  name: 'jsonl',
  mediaType: JSON_LINES,
  extension: 'jsonl',
  async *write({ trace, texts }) {
    yield toJsonLine({ trace });
    for await (const list of toBatchIterable(texts())) yield list.map((block) => `{"block":${block}}\n`).join('');
  },
};
