import type { Block, BlockId, BlockList, BlockSkeleton, Trace } from '../../../../generated/trace.ts';
import { type Backoff, backoffMs, type JoinedSignal, joinSignals } from '../../../core/index.ts';
import { toSkeleton } from '../../../trace/model/index.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { Outline } from './outline.ts';

/** A finished trace is followed for this long after its last block, because graders may be late. */
const SETTLED_MS = 60_000;
const POLL_MS = 5_000;
/** Seeking to one of this many last blocks loads all blocks that follow it. */
const TAIL = 100;
/** Delays between attempts to reach the server. */
export const RETRY_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 15_000 };

/** Side effects of a feed. */
export interface TraceFeedSource {
  readonly trace: (signal: AbortSignal) => Promise<Trace>;
  /** Returns the skeletons of blocks in order of writing. */
  readonly page: (range: BlockPageRange, signal: AbortSignal) => Promise<BlockList>;
  /** Returns the skeletons of one block, or of the children of one. */
  readonly context: (query: { ids: BlockId } | { parent: BlockId }, signal: AbortSignal) => Promise<BlockList>;
  /** Follows new blocks after an ordinal. Rejects if the server is unreachable. */
  readonly follow: (after: number, signal: AbortSignal) => Promise<AsyncIterable<{ event: string; data: string }>>;
  /** Resolves when the page is visible or hidden. */
  readonly until: (state: 'visible' | 'hidden', signal: AbortSignal) => Promise<void>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

interface TraceFeedState {
  readonly trace: Trace | undefined;
  /** Set if the outline has every block that existed. */
  readonly isComplete: boolean;
  /** Set while new blocks are streamed. */
  readonly isLive: boolean;
  readonly isDeleted: boolean;
  readonly failure: RequestError | undefined;
  /** Time of the next attempt, if the connection is lost. */
  readonly retryAt: number | undefined;
  /** Number of blocks that arrived since the outline was complete. */
  readonly newBlockCount: number;
}

/**
 * Loads the outline of a trace in concurrent pages, then follows it: every block once, in order, also across
 * reconnects.
 */
export class TraceFeed {
  readonly outline = new Outline();
  state: TraceFeedState = {
    trace: undefined,
    isComplete: false,
    isLive: false,
    isDeleted: false,
    failure: undefined,
    retryAt: undefined,
    newBlockCount: 0,
  };
  readonly traceId: string;
  readonly #source: TraceFeedSource;
  readonly #onChange: () => void;
  readonly #onBlock: (block: Block, bytes: number) => void;
  /** Ordinal of the last loaded block, or less. */
  #lastOrd = 0;
  #failures = 0;
  /** Resolves when the requested block is loaded; pages wait for it. */
  #pendingSeek: Promise<void> = Promise.resolve();
  /** Pending delay before the next attempt. */
  #retrying: JoinedSignal | undefined;

  constructor(
    traceId: string,
    source: TraceFeedSource,
    on: { change: () => void; block: (block: Block, bytes: number) => void },
  ) {
    this.traceId = traceId;
    this.#source = source;
    this.#onChange = on.change;
    this.#onBlock = on.block;
  }

  /** Runs until it is aborted or the trace is deleted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.state.isDeleted) {
      try {
        if (!this.state.isComplete) await this.#readPages(signal);
        else await this.#readUpdates(signal);
      } catch (error) {
        if (!signal.aborted) await this.#handleDisconnect(asRequestError(error), signal);
      }
    }
  }

  /** Skips the delay before the next attempt. */
  retry(): void {
    this.#retrying?.abort();
  }

  /** Sets the trace that an update returned. */
  setTrace(trace: Trace): void {
    this.#set({ trace });
  }

  /** Loads a block ahead of its page, with its ancestors and siblings. */
  async seek(id: BlockId, signal: AbortSignal): Promise<void> {
    const seeking = this.#seek(id, signal);
    this.#pendingSeek = seeking.catch(() => {});
    return seeking;
  }

  async #seek(id: BlockId, signal: AbortSignal): Promise<void> {
    const [found, tail] = await Promise.all([this.#near(id, signal), this.#tail(signal)]);
    if (found.length === 0) return;
    const isLast = tail.some((block) => block.id === id);
    this.outline.addOutOfOrder(isLast ? [...found, ...tail] : found, { isLast });
    this.#onChange();
  }

  /** Returns a block with its missing ancestors and siblings; empty if it does not exist. */
  async #near(id: BlockId, signal: AbortSignal): Promise<readonly BlockSkeleton[]> {
    const found: BlockSkeleton[] = [];
    const read = async (query: Parameters<TraceFeedSource['context']>[0]) => {
      found.push(...skeletonsOf(await this.#source.context(query, signal)));
    };
    for (let next: BlockId | null = id; next !== null; next = found.at(-1)?.parent_block_id ?? null) {
      if (this.state.isComplete || this.outline.rowOf(next)) break;
      await read({ ids: next });
      if (found.at(-1)?.id !== next) return [];
    }
    const parents = found.filter(({ sub_type }) => sub_type === 'MESSAGE' || sub_type === 'TOOL_CALL');
    await Promise.all(parents.map((block) => read({ parent: block.id })));
    return found;
  }

  /** Returns the last blocks of the trace, from the first message among them, without children of earlier ones. */
  async #tail(signal: AbortSignal): Promise<readonly BlockSkeleton[]> {
    const { trace, isComplete } = this.state;
    if (!trace || isComplete) return [];
    const list = await this.#source.page({ after: Math.max(0, trace.block_count - TAIL), limit: TAIL }, signal);
    const ids = new Set<BlockId>();
    return skeletonsOf(list).filter(({ id, sub_type, parent_block_id }) => {
      const isUnder = sub_type === 'MESSAGE' || ids.has(parent_block_id ?? '');
      return isUnder && ids.add(id);
    });
  }

  async #readPages(signal: AbortSignal): Promise<void> {
    const trace = this.state.trace ?? (await this.#source.trace(signal));
    if (!this.state.trace) this.#set({ trace });
    const reading = joinSignals(signal);
    try {
      const read = async (range: BlockPageRange) => {
        await this.#pendingSeek;
        return { range, list: await this.#source.page(range, reading.signal) };
      };
      for await (const { range, list } of prefetch(pageRanges(this.#lastOrd, trace.block_count), read)) {
        this.#takePage(range, list);
      }
    } finally {
      reading.abort();
      reading.release();
    }
  }

  #takePage({ before }: BlockPageRange, list: BlockList): void {
    const { next_cursor } = list.page;
    this.outline.add(skeletonsOf(list));
    // Ordinals are ascending integers.
    if (before !== undefined) this.#lastOrd = before - 1;
    else this.#lastOrd = next_cursor === null ? this.#lastOrd + list.blocks.length : Number(next_cursor);
    this.#failures = 0;
    this.#set({ isComplete: before === undefined && next_cursor === null, failure: undefined, retryAt: undefined });
  }

  async #readUpdates(signal: AbortSignal): Promise<void> {
    await this.#source.until('visible', signal);
    if (this.#mayGrow()) return this.#follow(signal);
    await this.#source.sleep(POLL_MS, signal);
    await this.#source.until('visible', signal);
    const trace = await this.#source.trace(signal);
    if (trace.updated_at !== this.state.trace?.updated_at || this.state.failure) this.#setConnected({ trace });
  }

  #mayGrow(): boolean {
    const { trace } = this.state;
    if (!trace || trace.status === 'running' || trace.block_count > this.outline.size) return true;
    return this.#source.now() - Date.parse(trace.updated_at) < SETTLED_MS;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const following = joinSignals(signal);
    let isEnough = false;
    const enough = () => {
      isEnough = true;
      following.abort();
    };
    // Frees the connection while the page is hidden or the trace has ended.
    void this.#source.until('hidden', following.signal).then(enough, () => {});
    void this.#untilSettled(following.signal).then(enough, () => {});
    try {
      const events = await this.#source.follow(this.#lastOrd, following.signal);
      this.#setConnected({ isLive: true });
      for await (const { event, data } of events) this.#take(event, JSON.parse(data));
      if (!this.state.isDeleted) throw new TypeError('the server ended the stream');
    } catch (error) {
      if (!isEnough) throw error;
    } finally {
      following.abort();
      following.release();
      this.#set({ isLive: false });
    }
  }

  async #untilSettled(signal: AbortSignal): Promise<void> {
    do await this.#source.sleep(SETTLED_MS, signal);
    while (this.#mayGrow());
  }

  #take(event: string, data: unknown): void {
    if (event === 'deleted') this.#set({ isDeleted: true });
    if (event === 'trace') this.#set({ trace: data as Trace });
    if (event !== 'block') return;
    const block = data as Block;
    const skeleton = toSkeleton(block);
    this.#lastOrd++;
    const added = this.outline.add([skeleton]);
    this.#onBlock(block, skeleton.bytes);
    this.#set({ newBlockCount: this.state.newBlockCount + added });
  }

  async #handleDisconnect(failure: RequestError, signal: AbortSignal): Promise<void> {
    if (failure.kind === 'deleted' && this.state.trace) return this.#set({ isDeleted: true });
    const isPassing = this.state.trace !== undefined || failure.kind === 'offline' || failure.kind === 'server';
    // Permanent errors wait for the user.
    const ms = isPassing ? backoffMs(this.#failures++, RETRY_BACKOFF) : Infinity;
    const retrying = joinSignals(signal);
    this.#retrying = retrying;
    this.#set({ failure, retryAt: isPassing ? this.#source.now() + ms : undefined });
    await this.#source.sleep(ms, retrying.signal).catch(() => {});
    retrying.release();
  }

  #setConnected(changes: Partial<TraceFeedState>): void {
    this.#failures = 0;
    this.#set({ ...changes, failure: undefined, retryAt: undefined });
  }

  #set(changes: Partial<TraceFeedState>): void {
    this.state = { ...this.state, ...changes };
    if (changes.trace) this.outline.trace = changes.trace;
    this.#onChange();
  }
}

const skeletonsOf = ({ blocks }: BlockList): BlockSkeleton[] =>
  blocks.map((block) => ('payload' in block ? toSkeleton(block) : block));

const FIRST_PAGE = 100;
const PAGE = 1_000;
const AT_ONCE = 3;

/** Page of blocks by ordinal. */
interface BlockPageRange {
  readonly after: number;
  /** First ordinal of the next page; undefined for the last page, which is open-ended. */
  readonly before?: number;
  readonly limit: number;
}

/**
 * Yields the pages after an ordinal of a trace with `count` blocks; the first one is short, because the user waits for
 * it.
 */
function* pageRanges(begin: number, count: number): Generator<BlockPageRange> {
  let after = begin;
  let limit = begin === 0 ? FIRST_PAGE : PAGE;
  for (; after + limit < count; after += limit, limit = PAGE) yield { after, before: after + limit + 1, limit };
  yield { after, limit };
}

/** Yields the results of `read` in order, and reads the next items meanwhile. */
async function* prefetch<I, T>(items: Iterable<I>, read: (item: I) => Promise<T>): AsyncGenerator<T> {
  const waiting: Promise<T>[] = [];
  for (const item of items) {
    const reading = read(item);
    // A rejection is thrown when its result is awaited.
    reading.catch(() => {});
    waiting.push(reading);
    if (waiting.length === AT_ONCE) yield await (waiting.shift() as Promise<T>);
  }
  for (const reading of waiting) yield await reading;
}
