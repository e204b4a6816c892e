import type { Block, BlockId, BlockList, BlockSkeleton, Trace } from '../../../../generated/trace.ts';
import { type Backoff, backoffMs, type JoinedSignal, joinSignals } from '../../../core/index.ts';
import { toSkeleton } from '../../../trace/model/index.ts';
import { asRequestError, type RequestError } from '../api/failure.ts';
import { Outline } from './outline.ts';
import { type BlockPageRange, pageRanges, prefetch } from './ranges.ts';

/** A trace that has ended is followed so long after the last news: graders may be late. */
const SETTLED_MS = 60_000;
const POLL_MS = 5_000;
/** Who goes to one of the last blocks is shown all that follows it. */
const TAIL = 100;
/** Delays between attempts to reach a server. */
export const RETRY_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 15_000 };

/** What the feed of a trace needs of the world. */
export interface TraceFeedSource {
  readonly trace: (signal: AbortSignal) => Promise<Trace>;
  /** Outlines of blocks in the order of their writing. */
  readonly page: (range: BlockPageRange, signal: AbortSignal) => Promise<BlockList>;
  /** Outlines of one block, or of those under one. */
  readonly context: (query: { ids: BlockId } | { parent: BlockId }, signal: AbortSignal) => Promise<BlockList>;
  /** News after a place. Rejects where nothing answers. */
  readonly follow: (after: number, signal: AbortSignal) => Promise<AsyncIterable<{ event: string; data: string }>>;
  /** Resolves when the page is looked at, or is not any more; at once where it is so already. */
  readonly until: (state: 'visible' | 'hidden', signal: AbortSignal) => Promise<void>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

export interface TraceFeedState {
  readonly trace: Trace | undefined;
  /** Whether every block that was there is in the outline. */
  readonly isComplete: boolean;
  /** Whether news come by themselves. */
  readonly isLive: boolean;
  readonly isDeleted: boolean;
  readonly failure: RequestError | undefined;
  /** When it tries again, where it has lost its server. */
  readonly retryAt: number | undefined;
  /** How many blocks have come since everything was there. */
  readonly newBlockCount: number;
}

/**
 * Reads the outline of a trace in pages, several at a time, and follows it from there on: every block once, in order,
 * also over servers that go and come back.
 */
export class TraceFeed {
  readonly outline = new Outline();
  state: TraceFeedState = {
    ...{ trace: undefined, isComplete: false, isLive: false, isDeleted: false },
    ...{ failure: undefined, retryAt: undefined, newBlockCount: 0 },
  };
  readonly traceId: string;
  readonly #source: TraceFeedSource;
  readonly #onChange: () => void;
  readonly #onBlock: (block: Block, bytes: number) => void;
  /** Of the last block that is here; never more than its real place. */
  #lastOrd = 0;
  #failures = 0;
  /** Resolves when what somebody waits for is there; the rest is read after it. */
  #pendingSeek: Promise<void> = Promise.resolve();
  /** Waits for the next attempt. */
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

  /** Runs until it is stopped or the trace is gone. */
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

  /** Does not wait any longer. */
  retry(): void {
    this.#retrying?.abort();
  }

  /** Takes over what a write was answered with. */
  setTrace(trace: Trace): void {
    this.#set({ trace });
  }

  /** Reads a block before its turn, with what it hangs under and what is beside it. */
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

  /** A block, what it hangs under and what is beside it, as far as it is not there; nothing where there is no such block. */
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

  /** The last blocks of the trace, from the first message among them, without those that hang under earlier ones. */
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
    // Places are whole numbers and rise.
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
    // A page that nobody looks at, or that nothing more comes to, leaves its connection to others.
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
    // What does not pass by itself waits for the user.
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
    this.#onChange();
  }
}

const skeletonsOf = ({ blocks }: BlockList): BlockSkeleton[] =>
  blocks.map((block) => ('payload' in block ? toSkeleton(block) : block));
