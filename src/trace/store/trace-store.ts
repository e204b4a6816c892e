import type {
  Block,
  BlockHit,
  BlockId,
  BlockReceipt,
  BlockSkeleton,
  Group,
  JSONObject,
  Run,
  RunStats,
  Score,
  ScoreInput,
  SearchHit,
  SubType,
  Trace,
  TraceId,
  TraceInput,
  TracePatch,
  TraceStatus,
  TraceWarning,
} from '../../../generated/trace.ts';
import type { BlockPosition, ScoreCondition, SearchQuery, StoredBlock, TraceLimits } from '../model/index.ts';

/**
 * Stores traces. Every method takes the organization whose data it may access; data of other organizations does not
 * exist for it, and ids are unique within an organization. A write is on disk when its promise resolves. A request that
 * breaks a rule rejects with a `TraceStoreError`, and one that the store has no capacity for with a
 * `StoreUnavailableError`; nothing of it is stored.
 *
 * @example
 * const { items, next_cursor } = await store.traces('default', { run: 'baseline', limit: 100 });
 */
export interface TraceStore extends TreeReader, AsyncDisposable {
  /**
   * Creates a trace. If a trace with this id was created with the same input, returns it in its current state.
   *
   * @param now time of creation in milliseconds since 1970; by default the time of the store.
   * @throws TraceStoreError TRACE_ID_CONFLICT for another input, TRACE_DELETED.
   */
  createTrace(
    org: string,
    input: TraceInput,
    now?: number,
  ): Promise<{ readonly trace: Trace; readonly isNew: boolean }>;
  /** @throws TraceStoreError TRACE_NOT_FOUND or TRACE_DELETED. */
  trace(org: string, id: TraceId): Promise<Trace>;
  /** Lists traces that match a query, a page at a time. */
  traces(org: string, query: TraceQuery): Promise<StorePage<Trace>>;
  /** Merges `run_info` and `rollout_info` into the stored objects, adds warnings, and replaces the other fields. */
  updateTrace(org: string, id: TraceId, patch: TraceUpdate): Promise<Trace>;
  /** Deletes a trace with its blocks. The organization can never use its id again. */
  deleteTrace(org: string, id: TraceId): Promise<void>;

  /** Writes all blocks of the request, or none. */
  append(org: string, id: TraceId, request: AppendRequest): Promise<AppendResult>;
  /** Reads blocks in the order in which they were written. */
  blocks(org: string, id: TraceId, query?: BlockQuery): Promise<readonly StoredBlock[]>;
  /** Reads what the outline of a trace needs of its blocks, without payloads. */
  skeletons(org: string, id: TraceId, query?: BlockQuery): Promise<readonly StoredSkeleton[]>;
  /** Reads blocks as JSON text without the outer braces. @param fields default `all`. */
  texts(org: string, id: TraceId, query?: BlockQuery, fields?: BlockFields): Promise<readonly BlockText[]>;
  /** @throws TraceStoreError as `trace` does; BLOCK_NOT_FOUND. */
  block(org: string, id: TraceId, block: BlockId): Promise<Block>;
  /**
   * Searches blocks of many traces: newest trace first, within a trace in the order of writing. A page may be short or
   * empty although more pages follow.
   *
   * @throws TraceStoreError as `trace` does, if the query names a trace.
   */
  findBlocks(org: string, query: BlockSearchQuery): Promise<StorePage<BlockHit>>;
  /** Searches blocks that match a query, as `findBlocks` does. */
  search(org: string, query: QuerySearch): Promise<StorePage<SearchHit>>;
  /** Calls `listener` after every change of a trace, and sometimes without one. @returns a function that stops this. */
  watch(org: string, id: TraceId, listener: () => void): () => void;

  /** Stores events of a rollout until they are settled; ignores events with a known id. */
  receiveEvents(org: string, id: TraceId, events: readonly RolloutEventText[]): Promise<void>;
  /** Reads the events that are not settled, by index. `next` is the greatest settled index plus one. */
  pendingEvents(
    org: string,
    id: TraceId,
  ): Promise<{ readonly next: number; readonly events: readonly RolloutEventText[] }>;
  /** Removes the texts of events that were written as blocks. */
  settleEvents(org: string, id: TraceId, ids: readonly string[]): Promise<void>;
  /** Lists the traces that have pending events. */
  tracesWithEvents(): Promise<readonly { readonly org: string; readonly id: TraceId }[]>;

  /** Lists runs, the last changed first, then by name. Traces that continue another one do not count. */
  runs(org: string, query: RunQuery): Promise<StorePage<Run>>;
  /**
   * Computes the rewards of the traces of a run that match a filter and continue no other trace. Steps ascend; the traces without a step come last.
   *
   * @throws TraceStoreError NOT_FOUND if no trace of this run matches.
   */
  runStats(org: string, run: string, bins: number, filter?: RunFilter): Promise<RunStats>;
  /** Lists the groups of a run: the rollouts of one task. */
  groups(org: string, query: GroupQuery): Promise<StorePage<Group>>;

  /**
   * Adds a score. If one with this id and the same fields exists, returns it.
   *
   * @throws TraceStoreError of a missing trace, block or run; SCORE_ID_CONFLICT.
   */
  addScore(org: string, score: ScoreInput): Promise<{ readonly score: Score; readonly isNew: boolean }>;
  /** Lists scores, oldest first. */
  scores(org: string, query: ScoreQuery): Promise<StorePage<Score>>;
  /** @throws TraceStoreError NOT_FOUND. */
  deleteScore(org: string, id: string): Promise<void>;

  /** Stores a blob once under the SHA-256 of its bytes. */
  putBlob(org: string, blob: StoredBlobData): Promise<void>;
  /** Returns a blob; undefined if the organization has none with this hash. */
  blob(org: string, sha256: string): Promise<StoredBlobData | undefined>;

  /** Stores an API key, of which only the hash is known. */
  addKey(key: NewApiKey): Promise<ApiKeyRecord>;
  /** Lists all API keys, revoked ones included. */
  keys(): Promise<readonly ApiKeyRecord[]>;
  /** @returns false if there is no such key, or it is revoked already. */
  revokeKey(id: string): Promise<boolean>;
  /** Calls `listener` after any process may have revoked keys. A SQLite file is polled for that every second. */
  watchKeys(listener: () => void): () => void;
  /** Returns the key with this hash, unless it is revoked. */
  findKey(sha256: string): Promise<ApiKeyRecord | undefined>;

  /** Rejects if the store cannot be written, because the disk is full or the database is gone. */
  checkWritable(): Promise<void>;
  /** Counts what the store contains, for metrics. */
  totals(): Promise<StoreTotals>;
  /** Checks all stored data against the rules and the counters. @returns a sentence per problem. */
  verify(onProgress?: (done: number, all: number) => void): Promise<readonly string[]>;
  /** Copies a consistent state into a new file during writes. Undefined unless the store is a file. */
  backup?(path: string, onProgress?: (done: number, all: number) => void): Promise<void>;
  /** Writes what is pending, and releases the database. */
  close(): Promise<void>;
}

/** Blocks to append, as the body of a request. */
export interface AppendRequest {
  /** Parsed JSON with at most 1,000 levels. */
  readonly body: unknown;
  readonly limits: TraceLimits;
  /**
   * Times of the blocks in milliseconds since 1970, in the order of the request. A block is never earlier than the one
   * before it. @default the time of the write
   */
  readonly times?: readonly (number | undefined)[];
  /** For 24 hours the same key with the same body returns the first receipts, and writes nothing. */
  readonly idempotency?: { readonly key: string; readonly bodySha256: string };
  /** Size of the body as it was sent, for back-pressure. @default the size of its JSON */
  readonly bytes?: number;
  /** Checks the blocks without storing them; the times in the receipts mean nothing. */
  readonly isDryRun?: boolean;
  /** Annotations of the server, the same for each block; added to the metadata that the client sent. */
  readonly metadata?: JSONObject;
}

export interface AppendResult {
  readonly isBatch: boolean;
  /** False if all blocks were stored before. */
  readonly isNew: boolean;
  /** In the order of the request. */
  readonly receipts: readonly BlockReceipt[];
  /** The stored block, if the request has written a single block. */
  readonly block?: Block;
}

export interface StoredSkeleton {
  readonly ord: number;
  readonly block: BlockSkeleton;
}

export interface BlockQuery {
  /** Excludes this ordinal and smaller ones. */
  readonly after?: number;
  /** Excludes this ordinal and greater ones. */
  readonly before?: number;
  readonly block_type?: Block['block_type'];
  readonly sub_type?: SubType;
  /** The `call_id` of the payload. */
  readonly call_id?: string;
  readonly parent?: BlockId;
  readonly ids?: readonly BlockId[];
  /** Maximum number of blocks. @default all */
  readonly limit?: number;
  /** Maximum size of the blocks together; a single block may exceed it. @default no maximum */
  readonly bytes?: number;
}

export interface BlockSearchQuery {
  readonly trace_id?: TraceId;
  readonly run?: string;
  readonly environment?: string;
  readonly group_id?: string;
  readonly sub_type?: SubType;
  /** Name of a tool: finds its calls and their results. */
  readonly name?: string;
  /** Finds only results of tools that failed, or that did not fail. */
  readonly has_error?: boolean;
  /** Text that a string value of the payload contains; ignores case. */
  readonly q?: string;
  readonly cursor?: string;
  readonly limit: number;
  /** Maximum work for a page. @default a fraction of a second */
  readonly effort?: Partial<SearchBudget>;
}

/** Search of blocks by the query language. */
export interface QuerySearch extends Pick<BlockSearchQuery, 'cursor' | 'limit' | 'effort'> {
  readonly query: SearchQuery;
}

export interface SearchBudget {
  /** Maximum number of blocks that are examined. */
  readonly blocks: number;
  /** Maximum size of the blocks whose payloads are read. */
  readonly bytes: number;
  readonly ms: number;
}

export type TraceUpdate = TracePatch &
  Pick<TraceInput, 'run_info' | 'rollout_info' | 'step' | 'task_index'> & {
    /** Added to those of the trace. */
    readonly warnings?: readonly TraceWarning[];
  };

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
  /** The trace that they continue. */
  readonly parent?: TraceId;
  /** Finds only traces that continue another one, or only those that do not. */
  readonly has_parent?: boolean;
  /** Earliest time, inclusive. */
  readonly created_after?: string;
  /** Latest time, exclusive. */
  readonly created_before?: string;
  /** Text that the id or the name contains; ignores the case of ASCII letters. */
  readonly q?: string;
  readonly score?: ScoreCondition;
  /**
   * Conditions of the query language; texts are ignored. The conditions about blocks hold if one block of the trace
   * matches all of them or, if all are negated, if each block does. A page may be short or empty although more pages
   * follow.
   */
  readonly query?: SearchQuery;
  /**
   * `reward` is the sum, `length` the number of blocks, `score:<name>` the mean of the values of these scores. Traces
   * without reward or value come last in either order; ties are ordered by id.
   *
   * @default 'created'
   */
  readonly sort?: TraceSort;
  /** @default 'desc' */
  readonly order?: 'asc' | 'desc';
  readonly cursor?: string;
  readonly limit: number;
}

/** Fields of a `TraceQuery` that select traces of a run. */
export type RunFilter = Omit<TraceQuery, 'run' | 'parent' | 'has_parent' | 'sort' | 'order' | 'cursor' | 'limit'>;

type TraceSort = 'created' | 'reward' | 'length' | `score:${string}`;

export interface ScoreQuery {
  readonly trace_id?: TraceId;
  readonly block_id?: BlockId;
  /** Finds the scores of the run, of its traces and of their blocks. */
  readonly run?: string;
  readonly name?: string;
  readonly author?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** An event of a rollout, as JSON text. */
export interface RolloutEventText {
  readonly id: string;
  /** Position among the events of its rollout, from 0. */
  readonly index: number;
  readonly text: string;
}

export interface RunQuery {
  /** Text that the name contains; ignores the case of ASCII letters. */
  readonly q?: string;
  /** Conditions of the query language, as of `TraceQuery`: lists the runs of the traces that match, and counts these. */
  readonly query?: SearchQuery;
  /** Includes the details of each run; traces pass from the reward `pass`. @default none */
  readonly details?: { readonly pass: number };
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
  readonly model?: string;
  /** Text that the id or the name of a member contains; ignores the case of ASCII letters. */
  readonly q?: string;
  /** Conditions of the query language, as of `TraceQuery`: lists the groups with a member that matches, as a whole. */
  readonly query?: SearchQuery;
  /**
   * `created`: oldest first; `std`: greatest deviation of the rewards first; `mean`: best first. Groups without reward
   * come last; ties are ordered by key. Members are in the order of their creation.
   *
   * @default 'created'
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
  /** Hash of the key; the key itself is not stored. */
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
  /** Size of the blocks. */
  readonly bytes: number;
}

/**
 * Reads a trace as a tree, page by page: first positions, then the texts of the blocks of a page. The cost of a method
 * depends on the size of its result, not of the trace, except for `orphans` and `positions`. Blocks with the ordinal
 * `before` or a greater one do not exist for it.
 */
export interface TreeReader {
  /** Reads messages in the order of `compareBlocks`. @returns undefined if `after` is not a message of the trace. */
  messages(org: string, id: TraceId, page: MessagePage): Promise<readonly TreeNode[] | undefined>;
  /** Reads the children of these blocks, of every kind. */
  children(org: string, id: TraceId, parents: readonly BlockId[], before: number): Promise<readonly TreeNode[]>;
  /** Reads the blocks without a valid parent. Scans the whole trace. */
  orphans(org: string, id: TraceId, before: number): Promise<readonly TreeNode[]>;
  /** Reads all positions in the order of writing. Scans the whole trace, a page at a time. */
  positions(org: string, id: TraceId, before: number): AsyncIterable<readonly BlockPosition[]>;
  /** Reads the texts of blocks at distinct positions, in the order of writing. */
  textsAt(
    org: string,
    id: TraceId,
    positions: readonly SizedPosition[],
    fields: BlockFields,
  ): Promise<readonly BlockText[]>;
}

export interface MessagePage {
  /** Starts behind the message with this id. */
  readonly after: BlockId | undefined;
  readonly before: number;
  readonly limit: number;
}

/** An ordinal with the size of its block. */
export type SizedPosition = Pick<TreeNode, 'ord' | 'bytes'>;

/** Position of a block in the order of writing and in the tree, its kind and its size. */
export interface TreeNode extends Pick<BlockSkeleton, 'id' | 'sub_type' | 'parent_block_id' | 'seq' | 'bytes'> {
  readonly ord: number;
}

/** Fields of a block that are read: all, or those of its skeleton. */
export type BlockFields = 'all' | 'skeleton';

/** The members of a block as JSON text, and the fields that determine its position in the tree. */
export interface BlockText extends Pick<BlockSkeleton, 'id' | 'sub_type' | 'parent_block_id' | 'seq' | 'created_at'> {
  readonly ord: number;
  readonly members: string;
}
