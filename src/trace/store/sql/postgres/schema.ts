import type { SqlReader } from '../driver.ts';
import { parentRule } from '../statements.ts';
import type { PgPool } from './node-postgres.ts';
import { runTransaction } from './transaction.ts';

/** Number of the advisory lock that a process holds while it migrates; an arbitrary value. */
const MIGRATION_LOCK = 7_030_041_978;
/** PostgreSQL 13: the oldest version with all functions that the store uses. */
const MIN_SERVER_VERSION = 130_000;

/**
 * Migrates the schema to the newest version in one transaction, one process at a time.
 *
 * @param versions SQL of each version, see `schemaVersions`.
 * @returns the identity of this store.
 * @throws Error if the schema belongs to another program or has a newer version, and if the server is not supported.
 */
export const migratePostgres = (pool: PgPool, versions: readonly string[] = schemaVersions): Promise<string> =>
  runTransaction(pool, async (transaction) => {
    await transaction.query('SET LOCAL lock_timeout = 0');
    await transaction.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})::text`);
    await checkServer(transaction);
    const version = await readVersion(transaction);
    if (version > versions.length) {
      throw new Error(
        `the database has version ${version} of the trace tables, and this ors-kit knows ${versions.length}; use the newer one`,
      );
    }
    for (const sql of versions.slice(version)) await transaction.query(sql);
    await transaction.query('UPDATE trace_store SET version = ? WHERE version <> ?', [
      versions.length,
      versions.length,
    ]);
    return await readIdentity(transaction);
  });

async function checkServer(transaction: SqlReader): Promise<void> {
  const [server] = await transaction.query<{ readonly version: number; readonly encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
  );
  if (!server || server.version < MIN_SERVER_VERSION) {
    throw new Error(`invalid PostgreSQL server: expected version 13 or newer, got ${server?.version}`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`invalid encoding of the database: expected UTF8, got ${server.encoding}`);
  }
}

/** Returns 0 for an empty schema. */
async function readVersion(transaction: SqlReader): Promise<number> {
  const [schema] = await transaction.query<{ readonly name: string | null; readonly tables: number }>(
    `SELECT current_schema() AS name, count(*) AS tables FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'm', 'p', 'f')`,
  );
  if (!schema?.name) throw new Error('the search_path of the connection contains no existing schema; create it first');
  if (schema.tables === 0) return 0;
  const [found] = await transaction.query<{ readonly name: string | null }>(
    "SELECT to_regclass(quote_ident(current_schema()) || '.trace_store')::text AS name",
  );
  if (!found?.name) {
    throw new Error(
      `the schema ${schema.name} has tables of another program; use a separate database or schema for the traces`,
    );
  }
  const [row] = await transaction.query<{ readonly version: number }>('SELECT version FROM trace_store');
  return row?.version ?? 0;
}

async function readIdentity(reader: SqlReader): Promise<string> {
  const [row] = await reader.query<{ readonly identity: string }>('SELECT identity FROM trace_store');
  if (!row) throw new Error('the table trace_store, which identifies the trace store, is empty; restore the database');
  return row.identity;
}

/**
 * Tables, with the rules that constraints can express. Times are microseconds since 1970. Texts of clients are encoded by
 * `encodeStoredText`, and sort by their bytes. payload, raw, extra, metadata and the other objects are JSON text as it was
 * written, because jsonb rejects U+0000 and changes numbers. Blocks refer to their organization by a number, which keeps
 * their rows and the index of their ids small.
 */
const tables = `
-- Identity of this store, and the version of its schema.
CREATE TABLE trace_store (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  identity uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO trace_store (version) VALUES (0);

CREATE TABLE organizations (
  rid integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE
);

-- Every append updates the counters of its trace: leaves room for that in the page.
CREATE TABLE trace_rows (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  org text COLLATE "C" NOT NULL,
  org_rid integer NOT NULL,
  run text COLLATE "C",
  group_key text COLLATE "C",
  step double precision,
  status text NOT NULL CHECK (status IN ('running', 'finished', 'error', 'abandoned')),
  reward_sum double precision,
  reward_last double precision,
  reward_max double precision,
  reward_count bigint NOT NULL,
  block_count bigint NOT NULL,
  bytes bigint NOT NULL,
  error_count bigint NOT NULL,
  created_us bigint NOT NULL,
  finished_us bigint,
  updated_us bigint NOT NULL CHECK (updated_us >= created_us),
  environment text COLLATE "C",
  variant text COLLATE "C",
  split text COLLATE "C",
  task_index double precision,
  task_key text COLLATE "C",
  group_id text COLLATE "C",
  rollout_index double precision,
  model text COLLATE "C",
  name text COLLATE "C",
  UNIQUE (id, org),
  UNIQUE (rid, org_rid),
  CHECK ((reward_count = 0) = (reward_sum IS NULL))
) WITH (fillfactor = 70);

CREATE INDEX traces_by_time ON trace_rows (org, created_us, id);
CREATE INDEX traces_by_run ON trace_rows (org, run, step, reward_sum);
CREATE INDEX traces_by_group ON trace_rows (org, run, group_key, created_us, reward_sum);
CREATE INDEX traces_of_run_by_time ON trace_rows (org, run, created_us, id);

-- Columns that may be large, and that statistics over many traces do not need.
CREATE TABLE trace_details (
  trace_rid bigint PRIMARY KEY REFERENCES trace_rows (rid) ON DELETE CASCADE,
  input_key text NOT NULL,
  task_spec text CHECK (task_spec IS NULL OR task_spec::json IS NOT NULL),
  tags text NOT NULL CHECK (tags::json IS NOT NULL),
  metadata text NOT NULL CHECK (metadata::json IS NOT NULL),
  run_info text NOT NULL CHECK (run_info::json IS NOT NULL),
  rollout_info text NOT NULL CHECK (rollout_info::json IS NOT NULL)
);

CREATE TABLE trace_tags (
  trace_rid bigint NOT NULL REFERENCES trace_rows (rid) ON DELETE CASCADE,
  tag text COLLATE "C" NOT NULL,
  PRIMARY KEY (trace_rid, tag)
);

CREATE INDEX trace_tags_by_tag ON trace_tags (tag);

CREATE TABLE trace_blocks (
  trace_rid bigint NOT NULL,
  ord bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  org_rid integer NOT NULL,
  block_type text GENERATED ALWAYS AS (
    CASE sub_type WHEN 'MESSAGE' THEN 'MESSAGE' WHEN 'TOOL_RESULT' THEN 'OBSERVE' ELSE 'ACT' END
  ) STORED,
  sub_type text NOT NULL CHECK (sub_type IN ('MESSAGE', 'TOOL_CALL', 'TOOL_RESULT', 'THINK')),
  parent_block_id text COLLATE "C",
  call_id text COLLATE "C",
  call_key text COLLATE "C",
  seq bigint CHECK (seq >= 0),
  name text COLLATE "C",
  role text,
  reward double precision,
  is_error smallint NOT NULL CHECK (is_error IN (0, 1)),
  bytes bigint NOT NULL,
  created_us bigint NOT NULL,
  preview text NOT NULL,
  metadata text NOT NULL CHECK (metadata::json IS NOT NULL),
  extra text CHECK (extra IS NULL OR extra::json IS NOT NULL),
  raw text CHECK (raw IS NULL OR raw::json IS NOT NULL),
  payload text NOT NULL CHECK (payload::json IS NOT NULL),
  PRIMARY KEY (trace_rid, ord),
  UNIQUE (id, org_rid),
  FOREIGN KEY (trace_rid, org_rid) REFERENCES trace_rows (rid, org_rid) ON DELETE CASCADE,
  CHECK ((sub_type = 'MESSAGE') = (parent_block_id IS NULL)),
  CHECK ((sub_type IN ('TOOL_CALL', 'TOOL_RESULT')) = (call_key IS NOT NULL)),
  CHECK (call_id IS NULL OR call_id = call_key),
  CHECK (sub_type <> 'TOOL_CALL' OR call_key = coalesce(call_id, id))
);

CREATE INDEX blocks_by_parent ON trace_blocks (parent_block_id, org_rid) WHERE parent_block_id IS NOT NULL;
CREATE UNIQUE INDEX unique_call_keys ON trace_blocks (trace_rid, call_key) WHERE sub_type = 'TOOL_CALL';
CREATE UNIQUE INDEX unique_result_seqs ON trace_blocks (trace_rid, call_key, seq)
  WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL;
CREATE INDEX calls_by_name ON trace_blocks (trace_rid, name) WHERE name IS NOT NULL;
CREATE INDEX failed_results ON trace_blocks (trace_rid, ord) WHERE is_error = 1;
CREATE INDEX messages_in_order ON trace_blocks (trace_rid, seq, ord) WHERE sub_type = 'MESSAGE';

-- Ids of deleted traces, which are never reused.
CREATE TABLE tombstones (
  trace_id text COLLATE "C" NOT NULL,
  org text COLLATE "C" NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (trace_id, org)
);

CREATE TABLE idempotency (
  trace_rid bigint NOT NULL REFERENCES trace_rows (rid) ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  body_sha256 text NOT NULL,
  appended text NOT NULL CHECK (appended::json IS NOT NULL),
  expires_us bigint NOT NULL,
  PRIMARY KEY (trace_rid, key)
);

CREATE INDEX idempotency_by_end ON idempotency (expires_us);

-- Rollout events that wait for earlier ones; settled events have no text.
CREATE TABLE rollout_events (
  trace_rid bigint NOT NULL REFERENCES trace_rows (rid) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  event_index double precision NOT NULL,
  text text,
  PRIMARY KEY (trace_rid, id)
);

CREATE INDEX pending_events ON rollout_events (trace_rid, event_index, id) WHERE text IS NOT NULL;

CREATE TABLE blobs (
  org text COLLATE "C" NOT NULL,
  sha256 text NOT NULL,
  media_type text NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (org, sha256)
);

-- Stores only the hashes of the keys.
CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  org text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes text NOT NULL CHECK (scopes::json IS NOT NULL),
  sha256 text NOT NULL UNIQUE,
  created_at text COLLATE "C" NOT NULL,
  revoked_at text
);

-- Written by the check whether the store is writable.
CREATE TABLE probe (rid integer PRIMARY KEY CHECK (rid = 1), at_us bigint NOT NULL);

-- Conversions for means and squares of rewards, whose intermediate values may exceed the range of a double.
CREATE FUNCTION exact(double precision) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT $1::text::numeric';
CREATE FUNCTION nearest(numeric) RETURNS double precision LANGUAGE sql IMMUTABLE AS '
  SELECT CASE WHEN abs($1) < 1e-307 THEN 0
    ELSE least(greatest($1, -1.7976931348623157e308), 1.7976931348623157e308) END::double precision';
`;

/**
 * Rules of the trace data model that constraints cannot express. Each message begins with the name of its rule.
 * `check_blocks` checks all blocks of a statement together, and looks up their rows one by one whatever the table
 * statistics say: PostgreSQL would keep a plan that scans the whole table while the table grows.
 */
const rules = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER organizations_are_immutable BEFORE UPDATE OR DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: organizations are never changed');
CREATE TRIGGER organizations_are_not_truncated BEFORE TRUNCATE ON organizations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: organizations are never changed');

CREATE TRIGGER traces_are_immutable BEFORE UPDATE OF rid, id, org, org_rid, run, environment, variant, split,
  task_index, task_key, group_id, group_key, step, rollout_index, model, created_us ON trace_rows
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: only the name, status and counters of a trace can change');

CREATE TRIGGER blocks_are_immutable BEFORE UPDATE ON trace_blocks
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: blocks are never changed');

CREATE TRIGGER blocks_are_not_truncated BEFORE TRUNCATE ON trace_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: blocks are deleted only with their trace');

CREATE TRIGGER tombstones_are_kept BEFORE UPDATE OR DELETE ON tombstones
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: the id of a deleted trace is never reused');

CREATE TRIGGER tombstones_are_not_truncated BEFORE TRUNCATE ON tombstones
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: the id of a deleted trace is never reused');

CREATE FUNCTION refuse_block_deletion() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM trace_rows WHERE rid = OLD.trace_rid) THEN
    RAISE EXCEPTION 'immutable: blocks are deleted only with their trace' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER blocks_are_deleted_with_their_trace BEFORE DELETE ON trace_blocks
  FOR EACH ROW EXECUTE FUNCTION refuse_block_deletion();

-- An AFTER trigger: by then the unique index has waited for a concurrent deletion of a trace with this id. The check
-- of org_rid is not a foreign key: that would lock the row of the organization, which never changes, for every trace.
CREATE FUNCTION check_trace() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM tombstones WHERE trace_id = NEW.id AND org = NEW.org) THEN
    RAISE EXCEPTION 'duplicate: there was a trace with this id' USING ERRCODE = 'unique_violation';
  END IF;
  IF NEW.org IS DISTINCT FROM (SELECT name FROM organizations WHERE rid = NEW.org_rid) THEN
    RAISE EXCEPTION 'organization: org and org_rid of a trace name different organizations'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER traces_are_new AFTER INSERT ON trace_rows FOR EACH ROW EXECUTE FUNCTION check_trace();

CREATE FUNCTION add_tombstone() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO tombstones (trace_id, org) VALUES (OLD.id, OLD.org);
  RETURN NULL;
END $$;

CREATE TRIGGER traces_leave_tombstones AFTER DELETE ON trace_rows FOR EACH ROW EXECUTE FUNCTION add_tombstone();

CREATE TRIGGER traces_are_not_truncated BEFORE TRUNCATE ON trace_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: delete traces one by one');

CREATE FUNCTION check_blocks() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM written AS block WHERE (
      CASE block.ord WHEN 1 THEN 0 ELSE (
        SELECT created_us FROM trace_blocks AS last
        WHERE last.trace_rid = block.trace_rid AND last.ord = block.ord - 1) END < block.created_us
    ) IS NOT TRUE)
  THEN
    RAISE EXCEPTION 'order: a block must have the next ordinal of its trace, and a later time'
      USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (
    SELECT FROM written AS block WHERE sub_type <> 'MESSAGE' AND (
      SELECT parent.trace_rid = block.trace_rid AND parent.ord < block.ord
        AND ${parentRule('block')}
      FROM trace_blocks AS parent WHERE parent.id = block.parent_block_id AND parent.org_rid = block.org_rid
    ) IS NOT TRUE)
  THEN
    RAISE EXCEPTION 'parent: not in this trace, of a wrong sub_type, or with another call_id'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER blocks_are_valid AFTER INSERT ON trace_blocks REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION check_blocks();
`;

const time = (us: string): string => `timestamptz 'epoch' + ${us} * interval '1 microsecond'`;

/**
 * Views for people with an SQL shell; the store does not read them. `traces` has a row per trace; `blocks` a row per
 * block with the id of its trace; `rewards` a row per block with a reward, with the run and step of its trace and the sum
 * of the rewards so far.
 */
const views = `
CREATE VIEW blocks AS
  SELECT t.org, t.id AS trace_id, b.ord, b.id, b.block_type, b.sub_type, b.parent_block_id, b.call_id, b.seq, b.name,
    b.role, b.reward, b.is_error, b.bytes, b.preview, b.payload::json AS payload, b.metadata::json AS metadata,
    b.raw::json AS raw, b.extra::json AS extra, ${time('b.created_us')} AS created_at
  FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid;

CREATE VIEW traces AS
  SELECT t.org, t.id, t.name, t.run, t.environment, t.variant, t.split, t.task_index, t.task_key, t.group_id, t.step,
    t.rollout_index, t.model, t.status, t.reward_sum, t.reward_last, t.reward_max, t.reward_count, t.block_count, t.bytes,
    t.error_count, d.tags::json AS tags, d.task_spec::json AS task_spec, d.metadata::json AS metadata,
    d.run_info::json AS run_info, d.rollout_info::json AS rollout_info, ${time('t.created_us')} AS created_at,
    ${time('t.finished_us')} AS finished_at, ${time('t.updated_us')} AS updated_at
  FROM trace_rows AS t JOIN trace_details AS d ON d.trace_rid = t.rid;

CREATE VIEW rewards AS
  SELECT t.org, t.run, t.environment, t.split, t.step, t.group_id, t.task_key, t.rollout_index, t.id AS trace_id, b.ord,
    b.id AS block_id, b.reward, sum(b.reward) OVER (PARTITION BY b.trace_rid ORDER BY b.ord) AS reward_until_then
  FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid
  WHERE b.reward IS NOT NULL;
`;

/** SQL that creates each version of the schema from the previous one. A published version never changes. */
export const schemaVersions: readonly string[] = [`${tables}${rules}${views}`];
