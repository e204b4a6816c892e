/**
 * Scopes the ids of traces and blocks to their organization. SQLite cannot drop a UNIQUE constraint, so the three tables
 * that have one are rebuilt; foreign keys have to be off meanwhile. Blocks name their organization by a number, which
 * keeps their rows and the index of their ids small.
 */
export const tables = `
DROP VIEW blocks;
DROP VIEW traces;
DROP VIEW rewards;

CREATE TABLE organizations (
  rid INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

INSERT INTO organizations (name) SELECT org FROM trace_rows UNION SELECT org FROM tombstones;

CREATE TABLE new_trace_rows (
  rid INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  org TEXT NOT NULL,
  org_rid INTEGER NOT NULL REFERENCES organizations (rid),
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
  UNIQUE (id, org),
  CHECK ((reward_count = 0) = (reward_sum IS NULL))
) STRICT;

INSERT INTO new_trace_rows (rid, id, org, org_rid, run, group_key, step, status, reward_sum, reward_last, reward_max,
    reward_count, block_count, bytes, error_count, created_us, finished_us, updated_us, environment, variant, split,
    task_index, task_key, group_id, rollout_index, model, name)
  SELECT t.rid, t.id, t.org, o.rid, t.run, t.group_key, t.step, t.status, t.reward_sum, t.reward_last, t.reward_max,
    t.reward_count, t.block_count, t.bytes, t.error_count, t.created_us, t.finished_us, t.updated_us, t.environment,
    t.variant, t.split, t.task_index, t.task_key, t.group_id, t.rollout_index, t.model, t.name
  FROM trace_rows AS t JOIN organizations AS o ON o.name = t.org ORDER BY t.rid;

CREATE TABLE new_trace_blocks (
  rid INTEGER PRIMARY KEY,
  trace_rid INTEGER NOT NULL REFERENCES trace_rows (rid),
  ord INTEGER NOT NULL,
  id TEXT NOT NULL,
  org_rid INTEGER NOT NULL,
  block_type TEXT GENERATED ALWAYS AS (
    CASE sub_type WHEN 'MESSAGE' THEN 'MESSAGE' WHEN 'TOOL_RESULT' THEN 'OBSERVE' ELSE 'ACT' END
  ) VIRTUAL,
  sub_type TEXT NOT NULL CHECK (sub_type IN ('MESSAGE', 'TOOL_CALL', 'TOOL_RESULT', 'THINK')),
  parent_block_id TEXT,
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
  UNIQUE (id, org_rid),
  UNIQUE (trace_rid, ord),
  FOREIGN KEY (parent_block_id, org_rid) REFERENCES trace_blocks (id, org_rid),
  CHECK ((sub_type = 'MESSAGE') = (parent_block_id IS NULL)),
  CHECK ((sub_type IN ('TOOL_CALL', 'TOOL_RESULT')) = (call_key IS NOT NULL)),
  CHECK (call_id IS NULL OR call_id = call_key),
  CHECK (sub_type <> 'TOOL_CALL' OR call_key = coalesce(call_id, id))
) STRICT;

INSERT INTO new_trace_blocks (rid, trace_rid, ord, id, org_rid, sub_type, parent_block_id, call_id, call_key, seq, name,
    role, reward, is_error, bytes, created_us, preview, metadata, extra, raw, payload)
  SELECT b.rid, b.trace_rid, b.ord, b.id, t.org_rid, b.sub_type, b.parent_block_id, b.call_id, b.call_key, b.seq, b.name,
    b.role, b.reward, b.is_error, b.bytes, b.created_us, b.preview, b.metadata, b.extra, b.raw, b.payload
  FROM trace_blocks AS b CROSS JOIN new_trace_rows AS t ON t.rid = b.trace_rid ORDER BY b.rid;

CREATE TABLE new_tombstones (
  trace_id TEXT NOT NULL,
  org TEXT NOT NULL,
  deleted_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (trace_id, org)
) STRICT;

INSERT INTO new_tombstones SELECT trace_id, org, deleted_at FROM tombstones;

DROP TABLE trace_blocks;
DROP TABLE trace_rows;
DROP TABLE tombstones;
ALTER TABLE new_trace_rows RENAME TO trace_rows;
ALTER TABLE new_trace_blocks RENAME TO trace_blocks;
ALTER TABLE new_tombstones RENAME TO tombstones;

CREATE INDEX traces_by_time ON trace_rows (org, created_us, id);
CREATE INDEX traces_by_run ON trace_rows (org, run, step, reward_sum);
CREATE INDEX traces_by_group ON trace_rows (org, run, group_key, created_us, reward_sum);
CREATE INDEX traces_of_run_by_time ON trace_rows (org, run, created_us, id);

CREATE INDEX blocks_by_parent ON trace_blocks (parent_block_id, org_rid) WHERE parent_block_id IS NOT NULL;
CREATE UNIQUE INDEX one_call_of_an_id ON trace_blocks (trace_rid, call_key) WHERE sub_type = 'TOOL_CALL';
CREATE UNIQUE INDEX one_result_of_a_seq ON trace_blocks (trace_rid, call_key, seq)
  WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL;
CREATE INDEX calls_by_name ON trace_blocks (trace_rid, name) WHERE name IS NOT NULL;
CREATE INDEX failed_results ON trace_blocks (trace_rid, ord) WHERE is_error = 1;
CREATE INDEX messages_in_order ON trace_blocks (trace_rid, seq, ord) WHERE sub_type = 'MESSAGE';
`;
