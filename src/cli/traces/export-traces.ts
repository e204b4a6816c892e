import type { Block, BlockId, BlockList, BlockSkeleton, JSONValue, Trace } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import { type TraceApiRequester, TraceError } from '../../trace/client/index.ts';
import { readRestoredTrace } from '../../trace/fit/index.ts';
import type { ExportFormat, StoredImage } from '../../trace/formats/index.ts';
import type { BlockPosition, StoredBlock } from '../../trace/model/index.ts';
import { CliError } from '../failure.ts';

/** One trace in a format; of a large one a page is in memory at a time. @throws Failure if it is deleted meanwhile. */
export async function* exportRemoteTrace(
  api: TraceApiRequester,
  trace: Trace,
  format: ExportFormat,
): AsyncGenerator<string> {
  const types = new Map<string, string>();
  const blob = (sha256: string) => imageOf(api, sha256, types);
  const shelf = {
    blocks: () => allBlocks(api, trace, types),
    positions: () => placesOf(api, trace),
    blocksAt: (ords: readonly number[]) => blocksAt(api, trace, ords, types),
    blob: async (sha256: string) => (await blob(sha256))?.data,
  };
  try {
    yield* format.write({
      trace,
      texts: () => textsOf(shelf.blocks()),
      restored: () => readRestoredTrace(trace, shelf),
      blob,
    });
  } catch (error) {
    if (!(error instanceof TraceError) || !['TRACE_DELETED', 'TRACE_NOT_FOUND'].includes(error.code)) throw error;
    throw new CliError(`${trace.id} was deleted while it was exported; export again`, { cause: error });
  }
}

/** As many blocks as the trace had when it was read: a trace and its blocks are one moment of it. */
async function* allBlocks(
  api: TraceApiRequester,
  trace: Trace,
  types: Map<string, string>,
): AsyncGenerator<readonly Block[]> {
  for await (const page of listBlocks(api, trace, { after: 0, before: trace.block_count + 1 })) {
    yield page.map((each) => wholeBlock(each, types));
  }
}

async function* textsOf(blocks: AsyncIterable<readonly Block[]>): AsyncGenerator<readonly string[]> {
  for await (const page of blocks) yield page.map((block) => JSON.stringify(block));
}

function wholeBlock(each: BlockList['blocks'][number], types: Map<string, string>): Block {
  // Without `fields`, blocks are whole.
  const block = each as Block;
  noteImages(block.payload as JSONValue, types);
  return block;
}

/** What stands where: parents come before what hangs under them. */
async function* placesOf(api: TraceApiRequester, trace: Trace): AsyncGenerator<readonly BlockPosition[]> {
  const ords = new Map<BlockId, number>();
  for await (const page of listBlocks(api, trace, { after: 0, before: trace.block_count + 1, fields: 'skeleton' })) {
    yield page.map((each) => {
      const outline = each as BlockSkeleton;
      const ord = ords.size + 1;
      ords.set(outline.id, ord);
      return { ...outline, ord, parent: ords.get(outline.parent_block_id ?? '') ?? null };
    });
  }
}

/** Neighbours come with one request. */
async function blocksAt(
  api: TraceApiRequester,
  trace: Trace,
  ords: readonly number[],
  types: Map<string, string>,
): Promise<readonly StoredBlock[]> {
  const found: StoredBlock[] = [];
  for (const [first = 0, last = 0] of stretchesOf(ords)) {
    let ord = first;
    for await (const page of listBlocks(api, trace, { after: first - 1, before: last + 1 })) {
      for (const each of page) found.push({ ord: ord++, block: wholeBlock(each, types) });
    }
  }
  return found;
}

/** Of places that ascend, the first and the last of those that follow one another. */
function stretchesOf(ords: readonly number[]): (readonly number[])[] {
  const firsts = ords.filter((ord, index) => ord - 1 !== ords[index - 1]);
  const lasts = ords.filter((ord, index) => ord + 1 !== ords[index + 1]);
  return firsts.map((first, index) => [first, lasts[index] ?? first]);
}

interface ExportRange {
  readonly after: number;
  readonly before: number;
  readonly fields?: 'skeleton';
}

/** The blocks between two places, page by page. */
async function* listBlocks(api: TraceApiRequester, { id }: Trace, { after: first, before, fields }: ExportRange) {
  let after: string | null = String(first);
  while (after !== null && Number(after) < before - 1) {
    const query = { after: Number(after), before, limit: 1000, ...(fields && { fields }) };
    // The store's answers follow its specification.
    const { blocks, page }: BlockList = (await api.json('listBlocks', { traceId: id, query })) as BlockList;
    yield blocks;
    after = page.next_cursor;
  }
}

/** Of stored images, what kind they are: only those who refer to one say so. */
function noteImages(value: JSONValue, types: Map<string, string>): void {
  if (Array.isArray(value)) for (const item of value) noteImages(item, types);
  if (!isRecord(value)) return;
  const { type, sha256, mimeType } = value;
  if (type === 'image_ref' && typeof sha256 === 'string' && typeof mimeType === 'string') types.set(sha256, mimeType);
  // What is in a record of JSON is JSON.
  for (const item of Object.values(value)) noteImages(item as JSONValue, types);
}

async function imageOf(
  api: TraceApiRequester,
  sha256: string,
  types: Map<string, string>,
): Promise<StoredImage | undefined> {
  try {
    const data = await api.bytes('getBlob', { sha256 });
    return { media_type: types.get(sha256) ?? 'application/octet-stream', data };
  } catch (error) {
    if (error instanceof TraceError && error.status === 404) return undefined;
    throw error;
  }
}
