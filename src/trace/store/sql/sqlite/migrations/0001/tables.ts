/**
 * The tables. Triggers hold the rules of the trace data model, because they also hold in a connection that has foreign
 * keys off, and against INSERT OR REPLACE. Times are microseconds since 1970; texts of clients are as `storedText` makes
 * them; payload, raw, extra, metadata and the other objects are JSON.
 */
export const tables = `
CREATE TABLE trace_rows (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  org TEXT NOT NULL,
  run TEXT,
  group_key TEXT,
  step INTEGER,
  status TEXT NOT NULL CHECK (status IN ('running', 'finished', 'error', 'abandoned')),
  reward_sum REAL,
  reward_last REAL,
  reward_max REAL,
  reward_count INTEGER NOT NULL,
  block_count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  created_us INTEGER NOT NULL,
  finished_us INTEGER,
  updated_us INTEGER NOT NULL CHECK (updated_us >= created_us),
  environment TEXT,
  variant TEXT,
  split TEXT,
  task_index INTEGER,
  task_key TEXT,
  group_id TEXT,
  rollout_index INTEGER,
  model TEXT,
  name TEXT,
  CHECK ((reward_count = 0) = (reward_sum IS NULL))
) STRICT;

CREATE INDEX traces_by_time ON trace_rows (org, created_us, id);
CREATE INDEX traces_by_run ON trace_rows (org, run, step, reward_sum);
CREATE INDEX traces_by_group ON trace_rows (org, run, group_key, created_us, reward_sum);

-- What may be large, and is not needed where many traces are counted.
CREATE TABLE trace_details (
  trace_rid INTEGER PRIMARY KEY REFERENCES trace_rows (rid),
  input_key TEXT NOT NULL,
  task_spec TEXT CHECK (task_spec IS NULL OR json_valid(task_spec)),
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  run_info TEXT NOT NULL CHECK (json_valid(run_info)),
  rollout_info TEXT NOT NULL CHECK (json_valid(rollout_info))
) STRICT;

CREATE TABLE trace_tags (
  trace_rid INTEGER NOT NULL REFERENCES trace_rows (rid),
  tag TEXT NOT NULL,
  PRIMARY KEY (trace_rid, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX trace_tags_by_tag ON trace_tags (tag);

CREATE TABLE trace_blocks (
  rid INTEGER PRIMARY KEY,
  trace_rid INTEGER NOT NULL REFERENCES trace_rows (rid),
  ord INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  block_type TEXT GENERATED ALWAYS AS (
    CASE sub_type WHEN 'MESSAGE' THEN 'MESSAGE' WHEN 'TOOL_RESULT' THEN 'OBSERVE' ELSE 'ACT' END
  ) VIRTUAL,
  sub_type TEXT NOT NULL CHECK (sub_type IN ('MESSAGE', 'TOOL_CALL', 'TOOL_RESULT', 'THINK')),
  parent_block_id TEXT REFERENCES trace_blocks (id),
  call_id TEXT,
  call_key TEXT,
  seq INTEGER CHECK (seq >= 0),
  name TEXT,
  role TEXT,
  reward REAL,
  is_error INTEGER NOT NULL CHECK (is_error IN (0, 1)),
  bytes INTEGER NOT NULL,
  created_us INTEGER NOT NULL,
  preview TEXT NOT NULL,
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  extra TEXT CHECK (extra IS NULL OR json_valid(extra)),
  raw TEXT CHECK (raw IS NULL OR json_valid(raw)),
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  UNIQUE (trace_rid, ord),
  CHECK ((sub_type = 'MESSAGE') = (parent_block_id IS NULL)),
  CHECK ((sub_type IN ('TOOL_CALL', 'TOOL_RESULT')) = (call_key IS NOT NULL)),
  CHECK (call_id IS NULL OR call_id = call_key),
  CHECK (sub_type <> 'TOOL_CALL' OR call_key = coalesce(call_id, id))
) STRICT;

CREATE INDEX blocks_by_parent ON trace_blocks (parent_block_id) WHERE parent_block_id IS NOT NULL;
CREATE UNIQUE INDEX one_call_of_an_id ON trace_blocks (trace_rid, call_key) WHERE sub_type = 'TOOL_CALL';
CREATE UNIQUE INDEX one_result_of_a_seq ON trace_blocks (trace_rid, call_key, seq)
  WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL;

-- Where a trace was deleted; its id is never given again.
CREATE TABLE tombstones (
  trace_id TEXT PRIMARY KEY,
  org TEXT NOT NULL,
  deleted_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE idempotency (
  trace_rid INTEGER NOT NULL REFERENCES trace_rows (rid),
  key TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  appended TEXT NOT NULL CHECK (json_valid(appended)),
  expires_us INTEGER NOT NULL,
  PRIMARY KEY (trace_rid, key)
) STRICT;

CREATE INDEX idempotency_by_end ON idempotency (expires_us);

-- Events of rollouts that wait for those before them; settled ones have no text.
CREATE TABLE rollout_events (
  trace_rid INTEGER NOT NULL REFERENCES trace_rows (rid),
  id TEXT NOT NULL,
  place INTEGER NOT NULL,
  text TEXT,
  PRIMARY KEY (trace_rid, id)
) STRICT;

CREATE INDEX pending_events ON rollout_events (trace_rid, place, id) WHERE text IS NOT NULL;

CREATE TABLE blobs (
  org TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  media_type TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (org, sha256)
) STRICT;

-- The keys themselves are stored nowhere.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  org TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  sha256 TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT;

-- Written to find out whether anything can be.
CREATE TABLE probe (rid INTEGER PRIMARY KEY CHECK (rid = 1), at_us INTEGER NOT NULL) STRICT;
`;
