import type { Block, Trace } from '../../../generated/trace.ts';
import {
  exportFormats,
  type FormatName,
  type ImportFormat,
  type ImportItem,
  type ImportLimits,
  importTracesFrom,
  type StoredImage,
  type TraceSource,
} from '../../../src/trace/formats/index.ts';
import { createMemoryTraceReader } from '../../../src/trace/model/index.ts';
import fc from '../../support/fast-check.ts';
import { createStore, TRACE } from '../model/store.ts';

/** Returns a trace with the given fields. */
export const trace = (parts: Partial<Trace> = {}): Trace => ({
  id: TRACE,
  ...{ name: 'first try', run: 'nightly', environment: 'weather', variant: null, split: 'train', task_index: 3 },
  ...{ task_spec: { city: 'bogotá' }, task_key: null, group_id: null, step: 7, rollout_index: 0, model: 'gpt-5' },
  ...{ status: 'finished', tags: ['a'], metadata: {}, run_info: { lr: 0.1 }, rollout_info: { harness: 'react' } },
  ...{ reward_sum: 1, reward_last: 1, reward_max: 1, reward_count: 1, block_count: 0, bytes: 0, error_count: 0 },
  created_at: '2025-03-01T12:00:00.000000Z',
  finished_at: '2025-03-01T12:00:09.000001Z',
  updated_at: '2025-03-01T12:00:09.000001Z',
  ...parts,
});

export const sourceOf = (
  rows: readonly Block[],
  parts: Partial<Trace> = {},
  images: Readonly<Record<string, StoredImage>> = {},
): TraceSource => ({
  trace: trace({ block_count: rows.length, ...parts }),
  texts: () => rows.map((row) => JSON.stringify(row)),
  restored: async () => createMemoryTraceReader(rows),
  blob: async (sha256) => images[sha256],
});

/** Writes the blocks to a new store one by one and returns its rows. */
export function rowsOf(...blocks: readonly object[]): Block[] {
  const { rows, post } = createStore();
  for (const block of blocks) {
    const { failure } = post(block);
    if (failure) throw new Error(failure.message);
  }
  return rows;
}

export async function exported(name: FormatName, source: TraceSource): Promise<string> {
  let text = '';
  for await (const part of exportFormats[name].write(source)) text += part;
  return text;
}

/** Exports a trace as a single line and parses it. */
export async function exportedLine(name: FormatName, source: TraceSource) {
  const lines = (await exported(name, source)).split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`${name} wrote ${lines.length - 1} lines`);
  return JSON.parse(lines[0] ?? '');
}

export async function imported(
  chunks: string | readonly (string | Uint8Array)[],
  format: ImportFormat = 'auto',
  limits?: ImportLimits,
): Promise<ImportItem[]> {
  async function* text() {
    yield* typeof chunks === 'string' ? [chunks] : chunks;
  }
  const items: ImportItem[] = [];
  for await (const item of importTracesFrom(text(), format, limits)) items.push(item);
  return items;
}

/** Splits the bytes of a text into chunks, regardless of character boundaries. */
export const cutBytes = (text: string, sizes: readonly number[]): Uint8Array[] => {
  const bytes = new TextEncoder().encode(text);
  const chunks: Uint8Array[] = [];
  for (let start = 0, index = 0; start < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  return chunks;
};

export const chunkSizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 });
