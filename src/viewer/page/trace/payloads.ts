import type { Block, BlockId, BlockSkeleton } from '../../../../generated/trace.ts';
import { backoffMs } from '../../../core/index.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { RETRY_BACKOFF } from './feed.ts';

/** Size of the cache; other blocks are loaded again when they are visible. */
const KEPT_BYTES = 64 * 1024 * 1024;
const BATCH_BLOCKS = 100;
const BATCH_BYTES = 512 * 1024;
const AT_ONCE = 2;

type BlockRequest = Pick<BlockSkeleton, 'id' | 'bytes'>;
/** Loads blocks; `isTruncated` means that not all fitted into the response. */
export type ReadBlocks = (ids: readonly BlockId[]) => Promise<{ blocks: readonly Block[]; isTruncated: boolean }>;

interface PayloadCacheOptions {
  readonly read: ReadBlocks;
  readonly onChange: () => void;
  readonly later?: (run: () => void, ms: number) => void;
  readonly keptBytes?: number;
}

/** Cache of whole blocks: loads those that are visible, a few requests at a time, and keeps the most recent ones. */
export class PayloadCache {
  readonly #options: PayloadCacheOptions;
  readonly #blocks = new Map<BlockId, { readonly block: Block; readonly bytes: number }>();
  readonly #requested = new Set<BlockId>();
  /** Blocks that the store does not have. */
  readonly #missing = new Set<BlockId>();
  #wanted: readonly BlockRequest[] = [];
  #running = 0;
  #bytes = 0;
  #failure: RequestError | undefined;
  #failures = 0;

  constructor(options: PayloadCacheOptions) {
    this.#options = options;
  }

  /** Last error, until a request succeeds. */
  get failure(): RequestError | undefined {
    return this.#failure;
  }

  get(id: BlockId): Block | undefined {
    return this.#blocks.get(id)?.block;
  }

  /** Adds a block from another source. */
  put(block: Block, bytes: number): void {
    this.#keep(block, bytes);
    this.#evictOldest();
  }

  /** Sets the visible blocks, most urgent first; replaces the previous request. */
  request(requested: readonly BlockRequest[]): void {
    this.#wanted = requested;
    for (const { id } of requested) {
      const kept = this.#blocks.get(id);
      if (!kept) continue;
      this.#blocks.delete(id);
      this.#blocks.set(id, kept);
    }
    this.#pump();
  }

  #pump(): void {
    while (this.#running < AT_ONCE && this.#failure === undefined) {
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      this.#running++;
      void this.#read(batch).finally(() => {
        this.#running--;
        this.#options.onChange();
        this.#pump();
      });
    }
  }

  #nextBatch(): BlockRequest[] {
    const batch: BlockRequest[] = [];
    let bytes = 0;
    let large: BlockRequest | undefined;
    for (const each of this.#wanted) {
      if (this.#blocks.has(each.id) || this.#requested.has(each.id) || this.#missing.has(each.id)) continue;
      // Small blocks do not wait for large ones.
      if (each.bytes > BATCH_BYTES) {
        large ??= each;
        continue;
      }
      if (batch.length === BATCH_BLOCKS || bytes + each.bytes > BATCH_BYTES) break;
      batch.push(each);
      bytes += each.bytes;
    }
    return batch.length === 0 && large ? [large] : batch;
  }

  async #read(batch: readonly BlockRequest[]): Promise<void> {
    for (const { id } of batch) this.#requested.add(id);
    try {
      const { blocks, isTruncated } = await this.#options.read(batch.map(({ id }) => id));
      const sizes = new Map(batch.map(({ id, bytes }) => [id, bytes]));
      for (const block of blocks) this.#keep(block, sizes.get(block.id) ?? 0);
      this.#failures = 0;
      if (!isTruncated) for (const { id } of batch) if (!this.#blocks.has(id)) this.#missing.add(id);
      this.#evictOldest();
    } catch (error) {
      this.#failure = asRequestError(error);
      const later = this.#options.later ?? ((run, ms) => void setTimeout(run, ms));
      later(
        () => {
          this.#failure = undefined;
          this.#pump();
        },
        backoffMs(this.#failures++, RETRY_BACKOFF),
      );
    } finally {
      for (const { id } of batch) this.#requested.delete(id);
    }
  }

  #keep(block: Block, bytes: number): void {
    const before = this.#blocks.get(block.id);
    if (before) this.#blocks.delete(block.id);
    this.#blocks.set(block.id, { block, bytes });
    this.#bytes += bytes - (before?.bytes ?? 0);
  }

  #evictOldest(): void {
    const requested = new Set(this.#wanted.map(({ id }) => id));
    for (const [id, { bytes }] of this.#blocks) {
      if (this.#bytes <= (this.#options.keptBytes ?? KEPT_BYTES)) return;
      if (requested.has(id)) continue;
      this.#blocks.delete(id);
      this.#bytes -= bytes;
    }
  }
}
