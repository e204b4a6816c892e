/** Idle time after which a session expires. Source: HTTP API, "Session Timeout". */
export const IDLE_TIMEOUT_MS = 900_000;

/** Time for which a completed result can be fetched again. Source: HTTP API, "POST /{env_name}/call". */
export const LINGER_MS = 60_000;

/**
 * Maximum size of the data of an event of a call, in bytes of UTF-8. Source: HTTP API, "SSE Event Types" ("responses
 * exceeding 4 KB").
 */
export const CHUNK_BYTES = 4096;

/** Interval of the comments in a silent stream. The reference client gives up after 30 s of silence. */
export const HEARTBEAT_MS = 10_000;

/** Header with the session id. Source: HTTP API, "X-Session-ID". */
export const SESSION_HEADER = 'X-Session-ID';

/** Statuses with which servers reject an operation that they do not have. */
export const MISSING_STATUSES: readonly (number | null)[] = [404, 405, 501];

/** First path segments of current and possible future operations. Environments cannot have these names. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'health',
  'ready',
  'version',
  'metrics',
  'docs',
  'openapi.json',
  'list_environments',
  'create_session',
  'create',
  'ping',
  'delete',
  'delete_session',
  'fork',
  'v1',
  'ui',
  'healthz',
  'readyz',
  'tools',
  'splits',
  'tasks',
  'num_tasks',
  'task',
  'task_range',
  'task_tools',
  'prompt',
  'call',
  // Requested by the platform client with the same form of path.
  'messages',
  'score_group',
]);
