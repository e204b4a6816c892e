import type {
  Block,
  BlockId,
  BlockList,
  BlockSkeleton,
  BulkInput,
  BulkReport,
  JSONValue,
  Score,
  Trace,
} from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import { listPages, type TraceApiRequester, TraceError } from '../../trace/client/index.ts';
import { readRestoredTrace } from '../../trace/fit/index.ts';
import type { ExportFormat, StoredImage } from '../../trace/formats/index.ts';
import type { BlockPosition, StoredBlock } from '../../trace/model/index.ts';
import { CliError, EXIT } from '../failure.ts';
import { listOldestFirst, parseTraceId, readRunStats } from './open-traces.ts';

/** Exports a trace, holding a page of it in memory at a time. @throws CliError if it is deleted meanwhile. */
export async function* exportRemoteTrace(
  api: TraceApiRequester,
  trace: Trace,
  format: ExportFormat,
): AsyncGenerator<string> {
  const types = new Map<string, string>();
  const blob = (sha256: string) => imageOf(api, sha256, types);
  const source = {
    blocks: () => allBlocks(api, trace, types),
    positions: () => positionsOf(api, trace),
    blocksAt: (ords: readonly number[]) => blocksAt(api, trace, ords, types),
    blob: async (sha256: string) => (await blob(sha256))?.data,
  };
  const restored = () => readRestoredTrace(trace, source);
  try {
    yield* format.write({
      trace,
      texts: () => textsOf(source.blocks()),
      restored,
      blob,
      scores: () => readScores(api, trace),
    });
  } catch (error) {
    if (!(error instanceof TraceError) || !['TRACE_DELETED', 'TRACE_NOT_FOUND'].includes(error.code)) throw error;
    throw new CliError(`${trace.id} was deleted while it was exported; export again`, { cause: error });
  }
}

/** Reads the scores of a trace and its blocks. */
export async function readScores(api: TraceApiRequester, { id }: Trace): Promise<readonly Score[]> {
  const scores: Score[] = [];
  for await (const page of listPages(api, 'listScores', { trace_id: id })) scores.push(...page.scores);
  return scores;
}

/** Reads the blocks that existed when the trace was read, so that both are of the same time. */
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

/** Reads the positions of blocks; parents come before their children. */
async function* positionsOf(api: TraceApiRequester, trace: Trace): AsyncGenerator<readonly BlockPosition[]> {
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

/** Reads blocks by ordinal; consecutive blocks come with one request. */
async function blocksAt(
  api: TraceApiRequester,
  trace: Trace,
  ords: readonly number[],
  types: Map<string, string>,
): Promise<readonly StoredBlock[]> {
  const found: StoredBlock[] = [];
  for (const [first = 0, last = 0] of rangesOf(ords)) {
    let ord = first;
    for await (const page of listBlocks(api, trace, { after: first - 1, before: last + 1 })) {
      for (const each of page) found.push({ ord: ord++, block: wholeBlock(each, types) });
    }
  }
  return found;
}

/** Joins ascending ordinals to ranges of first and last. */
function rangesOf(ords: readonly number[]): (readonly number[])[] {
  const firsts = ords.filter((ord, index) => ord - 1 !== ords[index - 1]);
  const lasts = ords.filter((ord, index) => ord + 1 !== ords[index + 1]);
  return firsts.map((first, index) => [first, lasts[index] ?? first]);
}

/** Lists the blocks between two ordinals, page by page. */
async function* listBlocks(
  api: TraceApiRequester,
  { id }: Trace,
  { after: first, ...range }: { readonly after: number; readonly before: number; readonly fields?: 'skeleton' },
) {
  let after: string | null = String(first);
  while (after !== null && Number(after) < range.before - 1) {
    const query = { ...range, after: Number(after), limit: 1000 };
    // The store's responses follow its specification.
    const { blocks, page }: BlockList = (await api.json('listBlocks', { traceId: id, query })) as BlockList;
    yield blocks;
    after = page.next_cursor;
  }
}

/** Collects the media types of stored images, which only the references contain. */
function noteImages(value: JSONValue, types: Map<string, string>): void {
  if (Array.isArray(value)) for (const item of value) noteImages(item, types);
  if (!isRecord(value)) return;
  const { type, sha256, mimeType } = value;
  if (type === 'image_ref' && typeof sha256 === 'string' && typeof mimeType === 'string') types.set(sha256, mimeType);
  // Part of a JSON value.
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

/**
 * Selects traces by ids, in their order, or by a query, oldest first.
 *
 * @throws CliError without ids and query; TraceError if a trace or the run does not exist.
 */
export async function chooseTraces(
  api: TraceApiRequester,
  ids: readonly string[],
  query: Readonly<Record<string, string | number | boolean>>,
): Promise<{ readonly all: number | undefined; readonly traces: AsyncIterable<Trace> | Iterable<Trace> }> {
  const { run, ...filters } = query;
  const hasFilters = Object.keys(filters).length > 0;
  if (ids.length > 0 && (run !== undefined || hasFilters)) {
    throw new CliError('pass either trace ids or --run and other filters, not both');
  }
  if (typeof run === 'string') {
    const stats = await readRunStats(api, run);
    return { all: hasFilters ? undefined : stats.run.trace_count, traces: listOldestFirst(api, query) };
  }
  if (hasFilters) return { all: undefined, traces: listOldestFirst(api, query) };
  if (ids.length === 0)
    throw new CliError('no traces selected; pass their ids, or --run <name> for all traces of a run');
  const traces: Trace[] = [];
  for (const id of ids.map(parseTraceId)) traces.push((await api.json('getTrace', { traceId: id })) as Trace);
  return { all: traces.length, traces };
}

/** Lists the ids of traces that are named, or that match a query. @throws CliError without ids and filters. */
export async function selectedIds(
  api: TraceApiRequester,
  ids: readonly string[],
  query: Readonly<Record<string, string | number | boolean>>,
): Promise<readonly string[]> {
  const selected: string[] = [];
  for await (const { id } of (await chooseTraces(api, ids, query)).traces) selected.push(id);
  return [...new Set(selected)];
}

/** Maximum number of traces of a request. */
const BATCH = 1000;

/** Changes or deletes traces, a batch at a time. @param onBatch is called with the number of traces that are done. */
export async function updateTraces(
  api: TraceApiRequester,
  ids: readonly string[],
  change: Omit<BulkInput, 'trace_ids'>,
  onBatch: (done: number) => void = () => {},
): Promise<BulkReport> {
  const report: BulkReport = { changed: 0, failed: [] };
  for (let start = 0; start < ids.length; start += BATCH) {
    const trace_ids = ids.slice(start, start + BATCH);
    // The response follows the specification.
    const part = (await api.json('updateTraces', { body: JSON.stringify({ trace_ids, ...change }) })) as BulkReport;
    report.changed += part.changed;
    report.failed.push(...part.failed);
    onBatch(start + trace_ids.length);
  }
  return report;
}

/** Prints the traces that could not be changed, and sets the exit code. */
export function reportFailed(failed: BulkReport['failed']): void {
  for (const { trace_id, message } of failed) process.stderr.write(`ors: ${trace_id}: ${message}\n`);
  if (failed.length > 0) process.exitCode = EXIT.failed;
}
