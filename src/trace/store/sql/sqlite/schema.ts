import { parentRule } from '../statements.ts';
import { retryWhileLocked, type SqliteConnection, singleNumber } from './connection.ts';

/**
 * Migrates the database to the newest version in one transaction. Foreign keys are off meanwhile: SQLite changes a
 * constraint only by rebuilding the table, and other tables refer to its rows.
 *
 * @param versions SQL of each version, see `schemaVersions`.
 * @throws Error if the database belongs to another program, or has a newer version.
 */
export async function migrateSqlite(
  connection: SqliteConnection,
  path: string,
  versions: readonly string[] = schemaVersions,
): Promise<void> {
  const { database } = connection;
  // Has no effect inside a transaction.
  database.exec('PRAGMA foreign_keys = OFF');
  await retryWhileLocked(() => connection.run('BEGIN IMMEDIATE'));
  try {
    const missing = missingVersions(connection, path, versions);
    for (const sql of missing) database.exec(sql);
    // Writes nothing if nothing is missing: the first write after a crash waits for the checkpoint of a long WAL.
    if (missing.length > 0) database.exec(`PRAGMA user_version = ${versions.length}`);
    connection.run('COMMIT');
  } catch (error) {
    connection.run('ROLLBACK');
    throw error;
  }
  database.exec('PRAGMA foreign_keys = ON');
}

function missingVersions(connection: SqliteConnection, path: string, versions: readonly string[]): readonly string[] {
  const version = singleNumber(connection.run('PRAGMA user_version'));
  if (version > versions.length) {
    throw new Error(
      `${path} has version ${version} of the trace tables, and this ors-kit knows ${versions.length}; use the newer one`,
    );
  }
  if (version === 0 && singleNumber(connection.run('SELECT count(*) FROM sqlite_schema')) > 0) {
    throw new Error(`${path} is the database of another program; use a separate file for the traces`);
  }
  return versions.slice(version);
}

/**
 * Tables. Times are microseconds since 1970. Texts of clients are encoded by `encodeStoredText`. payload, raw, extra,
 * metadata and the other objects are JSON. Blocks refer to their organization by a number, which keeps their rows and
 * the index of their ids small.
 */
const tables = `
CREATE TABLE organizations (
  rid INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE trace_rows (
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

CREATE INDEX traces_by_time ON trace_rows (org, created_us, id);
CREATE INDEX traces_by_run ON trace_rows (org, run, step, reward_sum);
CREATE INDEX traces_by_group ON trace_rows (org, run, group_key, created_us, reward_sum);
CREATE INDEX traces_of_run_by_time ON trace_rows (org, run, created_us, id);

-- Columns that may be large, and that statistics over many traces do not need.
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

CREATE INDEX blocks_by_parent ON trace_blocks (parent_block_id, org_rid) WHERE parent_block_id IS NOT NULL;
CREATE UNIQUE INDEX unique_call_keys ON trace_blocks (trace_rid, call_key) WHERE sub_type = 'TOOL_CALL';
CREATE UNIQUE INDEX unique_result_seqs ON trace_blocks (trace_rid, call_key, seq)
  WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL;
CREATE INDEX calls_by_name ON trace_blocks (trace_rid, name) WHERE name IS NOT NULL;
CREATE INDEX failed_results ON trace_blocks (trace_rid, ord) WHERE is_error = 1;
CREATE INDEX messages_in_order ON trace_blocks (trace_rid, seq, ord) WHERE sub_type = 'MESSAGE';

-- Ids of deleted traces, which are never reused.
CREATE TABLE tombstones (
  trace_id TEXT NOT NULL,
  org TEXT NOT NULL,
  deleted_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (trace_id, org)
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

-- Rollout events that wait for earlier ones; settled events have no text.
CREATE TABLE rollout_events (
  trace_rid INTEGER NOT NULL REFERENCES trace_rows (rid),
  id TEXT NOT NULL,
  event_index INTEGER NOT NULL,
  text TEXT,
  PRIMARY KEY (trace_rid, id)
) STRICT;

CREATE INDEX pending_events ON rollout_events (trace_rid, event_index, id) WHERE text IS NOT NULL;

CREATE TABLE blobs (
  org TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  media_type TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (org, sha256)
) STRICT;

-- Stores only the hashes of the keys.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  org TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  sha256 TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT;

-- Written by the check whether the store is writable.
CREATE TABLE probe (rid INTEGER PRIMARY KEY CHECK (rid = 1), at_us INTEGER NOT NULL) STRICT;
`;

/**
 * Rules of the trace data model, for every program that writes. They are triggers because triggers also run in
 * connections without foreign keys, and for INSERT OR REPLACE. Each message begins with the name of its rule.
 */
const rules = `
CREATE TRIGGER traces_are_immutable BEFORE UPDATE OF rid, id, org, org_rid, run, environment, variant, split,
  task_index, task_key, group_id, group_key, step, rollout_index, model, created_us ON trace_rows
BEGIN
  SELECT RAISE(ABORT, 'immutable: only the name, status and counters of a trace can change');
END;

CREATE TRIGGER traces_are_new BEFORE INSERT ON trace_rows
WHEN EXISTS (SELECT 1 FROM trace_rows WHERE id = NEW.id AND org = NEW.org)
  OR EXISTS (SELECT 1 FROM tombstones WHERE trace_id = NEW.id AND org = NEW.org)
BEGIN
  SELECT RAISE(ABORT, 'duplicate: this organization has, or had, a trace with this id');
END;

CREATE TRIGGER traces_belong_to_their_organization BEFORE INSERT ON trace_rows
WHEN NEW.org IS NOT (SELECT name FROM organizations WHERE rid = NEW.org_rid)
BEGIN
  SELECT RAISE(ABORT, 'organization: org and org_rid of a trace name different organizations');
END;

CREATE TRIGGER organizations_are_immutable BEFORE UPDATE ON organizations
BEGIN
  SELECT RAISE(ABORT, 'immutable: organizations are never changed');
END;

CREATE TRIGGER organizations_are_kept BEFORE DELETE ON organizations
BEGIN
  SELECT RAISE(ABORT, 'immutable: organizations are never deleted');
END;

CREATE TRIGGER traces_delete_their_rows AFTER DELETE ON trace_rows
BEGIN
  INSERT INTO tombstones (trace_id, org) VALUES (OLD.id, OLD.org);
  DELETE FROM trace_blocks WHERE trace_rid = OLD.rid;
  DELETE FROM trace_details WHERE trace_rid = OLD.rid;
  DELETE FROM trace_tags WHERE trace_rid = OLD.rid;
  DELETE FROM idempotency WHERE trace_rid = OLD.rid;
  DELETE FROM rollout_events WHERE trace_rid = OLD.rid;
END;

CREATE TRIGGER tombstones_are_kept BEFORE DELETE ON tombstones
BEGIN
  SELECT RAISE(ABORT, 'immutable: the id of a deleted trace is never reused');
END;

CREATE TRIGGER blocks_are_immutable BEFORE UPDATE ON trace_blocks
BEGIN
  SELECT RAISE(ABORT, 'immutable: blocks are never changed');
END;

CREATE TRIGGER blocks_are_deleted_with_their_trace BEFORE DELETE ON trace_blocks
WHEN EXISTS (SELECT 1 FROM trace_rows WHERE rid = OLD.trace_rid)
BEGIN
  SELECT RAISE(ABORT, 'immutable: blocks are deleted only with their trace');
END;

-- A BEFORE trigger, so that INSERT OR REPLACE cannot delete other rows first.
CREATE TRIGGER blocks_are_new BEFORE INSERT ON trace_blocks
WHEN EXISTS (SELECT 1 FROM trace_blocks WHERE id = NEW.id AND org_rid = NEW.org_rid)
  OR (NEW.sub_type = 'TOOL_CALL' AND EXISTS (
    SELECT 1 FROM trace_blocks WHERE trace_rid = NEW.trace_rid AND call_key = NEW.call_key AND sub_type = 'TOOL_CALL'))
  OR (NEW.sub_type = 'TOOL_RESULT' AND NEW.seq IS NOT NULL AND EXISTS (
    SELECT 1 FROM trace_blocks WHERE trace_rid = NEW.trace_rid AND call_key = NEW.call_key AND seq = NEW.seq
      AND sub_type = 'TOOL_RESULT' AND seq IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'duplicate: there is a block with this id, call_id or seq');
END;

CREATE TRIGGER blocks_are_in_order BEFORE INSERT ON trace_blocks
WHEN NEW.ord IS NOT 1 + coalesce((SELECT max(ord) FROM trace_blocks WHERE trace_rid = NEW.trace_rid), 0)
  OR NEW.created_us <= coalesce(
    (SELECT created_us FROM trace_blocks WHERE trace_rid = NEW.trace_rid AND ord = NEW.ord - 1), 0)
BEGIN
  SELECT RAISE(ABORT, 'order: a block must have the next ordinal of its trace, and a later time');
END;

CREATE TRIGGER blocks_belong_to_their_organization BEFORE INSERT ON trace_blocks
WHEN NEW.org_rid IS NOT (SELECT org_rid FROM trace_rows WHERE rid = NEW.trace_rid)
BEGIN
  SELECT RAISE(ABORT, 'organization: a block must have the org_rid of its trace');
END;

CREATE TRIGGER blocks_have_valid_parents BEFORE INSERT ON trace_blocks
WHEN NEW.sub_type <> 'MESSAGE' AND NOT EXISTS (
  SELECT 1 FROM trace_blocks AS parent
  WHERE parent.id = NEW.parent_block_id AND parent.org_rid = NEW.org_rid AND parent.trace_rid = NEW.trace_rid
    AND ${parentRule('NEW')})
BEGIN
  SELECT RAISE(ABORT, 'parent: not in this trace, of a wrong sub_type, or with another call_id');
END;
`;

/**
 * Views for people with an SQL shell; the store does not read them. `traces` has a row per trace with its times as
 * text; `blocks` a row per block with the id of its trace; `rewards` a row per block with a reward, with the run and
 * step of its trace and the sum of the rewards so far.
 */
const views = `
CREATE VIEW blocks AS
  SELECT t.org, t.id AS trace_id, b.ord, b.id, b.block_type, b.sub_type, b.parent_block_id, b.call_id, b.seq, b.name,
    b.role, b.reward, b.is_error, b.bytes, b.preview, b.payload, b.metadata, b.raw, b.extra,
    strftime('%Y-%m-%dT%H:%M:%S', b.created_us / 1000000, 'unixepoch') || printf('.%06dZ', b.created_us % 1000000)
      AS created_at
  FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid;

CREATE VIEW traces AS
  SELECT t.org, t.id, t.name, t.run, t.environment, t.variant, t.split, t.task_index, t.task_key, t.group_id, t.step,
    t.rollout_index, t.model, t.status, t.reward_sum, t.reward_last, t.reward_max, t.reward_count, t.block_count, t.bytes,
    t.error_count, d.tags, d.task_spec, d.metadata, d.run_info, d.rollout_info,
    strftime('%Y-%m-%dT%H:%M:%S', t.created_us / 1000000, 'unixepoch') || printf('.%06dZ', t.created_us % 1000000)
      AS created_at,
    strftime('%Y-%m-%dT%H:%M:%S', t.finished_us / 1000000, 'unixepoch') || printf('.%06dZ', t.finished_us % 1000000)
      AS finished_at,
    strftime('%Y-%m-%dT%H:%M:%S', t.updated_us / 1000000, 'unixepoch') || printf('.%06dZ', t.updated_us % 1000000)
      AS updated_at
  FROM trace_rows AS t JOIN trace_details AS d ON d.trace_rid = t.rid;

CREATE VIEW rewards AS
  SELECT t.org, t.run, t.environment, t.split, t.step, t.group_id, t.task_key, t.rollout_index, t.id AS trace_id, b.ord,
    b.id AS block_id, b.reward, sum(b.reward) OVER (PARTITION BY b.trace_rid ORDER BY b.ord) AS reward_until_then
  FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid
  WHERE b.reward IS NOT NULL;
`;

/** SQL that creates each version of the schema from the previous one. A published version never changes. */
export const schemaVersions: readonly string[] = [`${tables}${rules}${views}`];
