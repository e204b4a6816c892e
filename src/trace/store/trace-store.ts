import type {
  Block,
  BlockHit,
  BlockId,
  BlockReceipt,
  BlockSkeleton,
  Group,
  Run,
  RunStats,
  SubType,
  Trace,
  TraceId,
  TraceInput,
  TracePatch,
  TraceStatus,
} from '../../../generated/trace.ts';
import type { StoredBlock, TraceLimits } from '../model/index.ts';
import type { BlockFields, BlockText, TreeReader } from './tree-reader.ts';

/**
 * Where traces are kept. A promise that resolves means that what it tells of is on disk. A request that breaks a rule
 * rejects with a `Refusal`, and nothing of it is stored; one that the store has no room for rejects with `Overloaded`.
 * Every method takes the organization whose data it may see; that of others is not there, and ids are unique within one.
 */
export interface TraceStore extends TreeReader, AsyncDisposable {
  /**
   * A trace with an id that is there already, created with the same input, is given back as it is now.
   *
   * @param now when it is created, in milliseconds since 1970; by default the time of the store.
   * @throws Refusal TRACE_ID_CONFLICT for another input, TRACE_DELETED.
   */
  createTrace(
    org: string,
    input: TraceInput,
    now?: number,
  ): Promise<{ readonly trace: Trace; readonly isNew: boolean }>;
  /** @throws Refusal TRACE_NOT_FOUND or TRACE_DELETED. */
  trace(org: string, id: TraceId): Promise<Trace>;
  traces(org: string, query: TraceQuery): Promise<StorePage<Trace>>;
  /** `run_info` and `rollout_info` are merged over what is there; the other fields replace it. */
  updateTrace(org: string, id: TraceId, patch: TraceUpdate): Promise<Trace>;
  /** Takes it away with its blocks; its id is never given again in this organization. */
  deleteTrace(org: string, id: TraceId): Promise<void>;

  /** Writes all blocks of the request, or none. */
  append(org: string, id: TraceId, request: AppendRequest): Promise<AppendResult>;
  /** Those after and before the given places, in the order in which they were written. */
  blocks(org: string, id: TraceId, query?: BlockQuery): Promise<readonly StoredBlock[]>;
  skeletons(org: string, id: TraceId, query?: BlockQuery): Promise<readonly StoredSkeleton[]>;
  /** The same as the JSON text that they are sent as, but for its braces; whole by default. */
  texts(org: string, id: TraceId, query?: BlockQuery, fields?: BlockFields): Promise<readonly BlockText[]>;
  block(org: string, id: TraceId, block: BlockId): Promise<Block>;
  /**
   * Blocks of many traces: those of the newest trace first, within a trace in the order of their writing. A page may be
   * short or empty and still not the last. @throws Refusal as `trace`, for a trace that is asked for.
   */
  findBlocks(org: string, query: BlockSearchQuery): Promise<StorePage<BlockHit>>;
  /** Has `listener` called after every change of a trace; may be called once too often, never once too few. */
  watch(org: string, id: TraceId, listener: () => void): () => void;

  /** Keeps events of a rollout until they are settled; those whose id came before are known already. */
  receiveEvents(org: string, id: TraceId, events: readonly RolloutEventText[]): Promise<void>;
  /** Those that are not settled, by index; `next` is one more than the greatest index of those that are. */
  pendingEvents(
    org: string,
    id: TraceId,
  ): Promise<{ readonly next: number; readonly events: readonly RolloutEventText[] }>;
  /** Their text is needed no more. */
  settleEvents(org: string, id: TraceId, ids: readonly string[]): Promise<void>;
  /** Traces that have pending events. */
  tracesWithEvents(): Promise<readonly { readonly org: string; readonly id: TraceId }[]>;

  /** Those that changed last first, equal ones by name. */
  runs(org: string, query: RunQuery): Promise<StorePage<Run>>;
  /** Steps ascending, that of traces without one last. @throws Refusal NOT_FOUND where no trace has this run. */
  runStats(org: string, run: string, bins: number): Promise<RunStats>;
  groups(org: string, query: GroupQuery): Promise<StorePage<Group>>;

  /** Stored once under the SHA-256 of its bytes. */
  putBlob(org: string, blob: StoredBlobData): Promise<void>;
  blob(org: string, sha256: string): Promise<StoredBlobData | undefined>;

  addKey(key: NewApiKey): Promise<ApiKeyRecord>;
  keys(): Promise<readonly ApiKeyRecord[]>;
  /** @returns whether there was such a key that was not revoked. */
  revokeKey(id: string): Promise<boolean>;
  /** Has `listener` called after keys may have been revoked, by any process. SQLite is asked for that every second. */
  watchKeys(listener: () => void): () => void;
  /** The key with this hash, unless it is revoked. */
  findKey(sha256: string): Promise<ApiKeyRecord | undefined>;

  /** Rejects where nothing can be written: the disk is full, the database is gone. */
  checkWritable(): Promise<void>;
  /** What is stored, counted. */
  totals(): Promise<StoreTotals>;
  /** Reads everything and holds it against the rules and the counters. */
  verify(onProgress?: (done: number, all: number) => void): Promise<readonly string[]>;
  /** Copies a consistent state into a new file while others write; only where the store is a file. */
  backup?(path: string, onProgress?: (done: number, all: number) => void): Promise<void>;
  close(): Promise<void>;
}

/** What a write is held against, and what makes a repetition of it harmless. */
export interface AppendRequest {
  /** Parsed JSON. */
  readonly body: unknown;
  readonly limits: TraceLimits;
  /** JSON pointers into the body, of numbers that its parser has changed. */
  readonly changedNumbers?: readonly string[];
  /** Kept for 24 hours: the same key with the same body has the receipts of the first time, and nothing is new. */
  readonly idempotency?: { readonly key: string; readonly bodySha256: string };
  /** Bytes of the body as it was sent, for back-pressure: about what is to be written. By default those of its JSON. */
  readonly bytes?: number;
  /** Whether only to check: nothing is stored, and the receipts are of no worth. */
  readonly isDryRun?: boolean;
  /** Annotations of the server, the same for each block. */
  readonly metadata?: Block['metadata'];
}

/** What was written, in the order of the request; `isNew` is false where everything was there before. */
export interface AppendResult {
  readonly isBatch: boolean;
  readonly isNew: boolean;
  readonly receipts: readonly BlockReceipt[];
  /** As it is read from now on, where a request for one block has written it. */
  readonly block?: Block;
}

export interface StoredSkeleton {
  readonly ord: number;
  readonly block: BlockSkeleton;
}

export interface BlockQuery {
  /** Only places greater than this one. */
  readonly after?: number;
  /** Only places less than this one. */
  readonly before?: number;
  readonly block_type?: Block['block_type'];
  readonly sub_type?: SubType;
  /** As the payload has it. */
  readonly call_id?: string;
  readonly parent?: BlockId;
  readonly ids?: readonly BlockId[];
  /** The most blocks; by default all. */
  readonly limit?: number;
  /** The most bytes of them together, but one block comes whatever it has; by default any number. */
  readonly bytes?: number;
}

export interface BlockSearchQuery {
  readonly trace_id?: TraceId;
  readonly run?: string;
  readonly environment?: string;
  readonly group_id?: string;
  readonly sub_type?: SubType;
  /** Of a tool: its calls and their results. */
  readonly name?: string;
  /** Results of tools that failed, or that did not. */
  readonly has_error?: boolean;
  /** Text that a string value of the payload holds; capitals are like small letters. */
  readonly q?: string;
  readonly cursor?: string;
  readonly limit: number;
  /** The most that a page costs; by default a fraction of a second. */
  readonly effort?: Partial<SearchBudget>;
}

export interface SearchBudget {
  /** Blocks that are looked at. */
  readonly blocks: number;
  /** Bytes of the blocks whose payloads are read. */
  readonly bytes: number;
  readonly ms: number;
}

export type TraceUpdate = TracePatch & Pick<TraceInput, 'run_info' | 'rollout_info'>;

export interface TraceQuery {
  readonly run?: string;
  readonly environment?: string;
  readonly split?: string;
  readonly task_key?: string;
  readonly group_id?: string;
  readonly step?: number;
  readonly status?: TraceStatus;
  readonly model?: string;
  readonly tag?: string;
  readonly reward_min?: number;
  readonly reward_max?: number;
  readonly has_error?: boolean;
  /** Timestamps; the earlier one is part of what is asked for, the later one not. */
  readonly created_after?: string;
  readonly created_before?: string;
  /** Text that id or name hold; capitals of ASCII are like small letters. */
  readonly q?: string;
  /**
   * `created` by default; `reward` is the sum, `length` the number of blocks. Traces without reward come last in either
   * order; equal ones stand by id.
   */
  readonly sort?: 'created' | 'reward' | 'length';
  /** `desc` by default. */
  readonly order?: 'asc' | 'desc';
  readonly cursor?: string;
  readonly limit: number;
}

/** An event of a rollout, as JSON text. */
export interface RolloutEventText {
  readonly id: string;
  /** Its place among those of its rollout, from 0. */
  readonly index: number;
  readonly text: string;
}

export interface RunQuery {
  /** Text that the name holds; capitals of ASCII are like small letters. */
  readonly q?: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface GroupQuery {
  readonly run?: string;
  readonly environment?: string;
  readonly split?: string;
  readonly step?: number;
  readonly group_id?: string;
  readonly task_key?: string;
  /**
   * `created` (oldest first) by default; `std` puts those whose rewards differ most first, `mean` the best. Groups
   * without reward come last, equal ones stand by key. Members are in the order of their creation.
   */
  readonly sort?: 'created' | 'std' | 'mean';
  readonly cursor?: string;
  readonly limit: number;
}

export interface StorePage<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

export interface StoredBlobData {
  readonly sha256: string;
  readonly media_type: string;
  readonly data: Uint8Array;
}

export type ApiKeyScope = 'read' | 'write';

export interface NewApiKey {
  readonly org: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Of the key itself, which is stored nowhere. */
  readonly sha256: string;
}

export interface ApiKeyRecord {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly created_at: string;
  readonly revoked_at: string | null;
}

export interface StoreTotals {
  readonly traces: number;
  readonly blocks: number;
  readonly blobs: number;
  /** Of the blocks. */
  readonly bytes: number;
}
