/** A session without activity ends after this time. Source: HTTP API, "Session Timeout". */
export const IDLE_TIMEOUT_MS = 900_000;

/** A completed call's result can be fetched again for this time. Source: HTTP API, "POST /{env_name}/call". */
export const LINGER_MS = 60_000;

/**
 * The most code points that one `data:` field holds. Source: HTTP API, "SSE Event Types" ("responses exceeding 4 KB");
 * the reference implementation counts characters, not bytes.
 */
export const CHUNK_CODE_POINTS = 4096;

/** A silent stream carries a comment this often; the reference client gives up after 30 s of silence. */
export const HEARTBEAT_MS = 10_000;

/** The header that names the session. Source: HTTP API, "X-Session-ID". */
export const SESSION_HEADER = 'X-Session-ID';

/** First path segments that no environment may be called, since they name operations now or may do so later. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...['health', 'ready', 'version', 'metrics', 'docs', 'openapi.json', 'list_environments', 'create_session', 'create'],
  ...['ping', 'delete', 'delete_session', 'v1', 'ui', 'healthz', 'readyz'],
  ...['tools', 'splits', 'tasks', 'num_tasks', 'task', 'task_range', 'task_tools', 'prompt', 'call'],
  // The platform client asks for these two by the same form of path.
  ...['messages', 'score_group'],
]);
