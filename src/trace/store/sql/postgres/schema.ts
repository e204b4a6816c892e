import type { Pool } from 'pg';
import type { DatabaseContent, SqlReader } from '../driver.ts';
import { parentRule } from '../statements.ts';
import {
  addParents,
  addThreads,
  addUsage,
  createTables,
  createViews,
  IMMUTABLE_COLUMNS,
  missingVersions,
  newestVersion,
  POSTGRES_SCHEMA,
} from '../tables.ts';
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
 * @throws Error if the schema belongs to another program or has an unknown version, and if the server is not supported.
 */
export const migratePostgres = (
  pool: Pool,
  versions: readonly string[] = schemaVersions,
  content: DatabaseContent = 'trace',
): Promise<string> =>
  runTransaction(pool, async (transaction) => {
    await transaction.query('SET LOCAL lock_timeout = 0');
    await transaction.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})::text`);
    await checkServer(transaction);
    const missing = missingVersions('the database', await readVersion(transaction), versions, content);
    for (const sql of missing) await transaction.query(sql);
    const newest = newestVersion(versions);
    await transaction.query('UPDATE trace_store SET version = ? WHERE version <> ?', [newest, newest]);
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
    throw new Error(`the schema ${schema.name} has tables of another program; use a separate database or schema`);
  }
  const [row] = await transaction.query<{ readonly version: number }>('SELECT version FROM trace_store');
  return row?.version ?? 0;
}

async function readIdentity(reader: SqlReader): Promise<string> {
  const [row] = await reader.query<{ readonly identity: string }>('SELECT identity FROM trace_store');
  if (!row) throw new Error('the table trace_store, which identifies the database, is empty; restore the database');
  return row.identity;
}

const identity = `
-- Identity of this store, and the version of its schema.
CREATE TABLE trace_store (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  identity uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO trace_store (version) VALUES (0);
`;

const conversions = String.raw`
-- Conversions for means and squares of rewards, whose intermediate values may exceed the range of a double.
CREATE FUNCTION exact(double precision) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT $1::text::numeric';
CREATE FUNCTION nearest(numeric) RETURNS double precision LANGUAGE sql IMMUTABLE AS '
  SELECT CASE WHEN abs($1) < 1e-307 THEN 0
    ELSE least(greatest($1, -1.7976931348623157e308), 1.7976931348623157e308) END::double precision';

-- JSON in which U+FFFD replaces NUL and lone surrogates, which the operators of json reject. The store writes surrogates
-- as lower-case escapes only if they are lone. U+0001 stands for an escaped backslash meanwhile.
CREATE FUNCTION readable_json(text) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE WHEN strpos($1, '\u') = 0 THEN $1
    ELSE replace(regexp_replace(replace($1, '\\', chr(1)), '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g'), chr(1), '\\')
    END)::json $$;
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

CREATE TRIGGER traces_are_immutable BEFORE UPDATE OF ${IMMUTABLE_COLUMNS} ON trace_rows
  FOR EACH ROW EXECUTE FUNCTION
    refuse('immutable: only the name, status, step, task_index and counters of a trace can change');

CREATE TRIGGER blocks_are_immutable BEFORE UPDATE ON block_rows
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: blocks are never changed');

CREATE TRIGGER blocks_are_not_truncated BEFORE TRUNCATE ON block_rows
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

CREATE TRIGGER blocks_are_deleted_with_their_trace BEFORE DELETE ON block_rows
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
        SELECT created_us FROM block_rows AS last
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
      FROM block_rows AS parent WHERE parent.id = block.parent_block_id AND parent.org_rid = block.org_rid
    ) IS NOT TRUE)
  THEN
    RAISE EXCEPTION 'parent: not in this trace, of a wrong sub_type, or with another call_id'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER blocks_are_valid AFTER INSERT ON block_rows REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION check_blocks();
`;

const parentRules = `
CREATE TRIGGER parents_are_immutable BEFORE UPDATE OF parent_trace_id, parent_calls ON trace_rows
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: the parent of a trace cannot change');
`;

/** SQL that creates each version of the schema from the previous one. A published version never changes. */
export const schemaVersions: readonly string[] = [
  `${identity}${createTables(POSTGRES_SCHEMA)}${conversions}${rules}${createViews(POSTGRES_SCHEMA)}`,
  addUsage(POSTGRES_SCHEMA),
  `${addParents(POSTGRES_SCHEMA)}${parentRules}`,
  addThreads(POSTGRES_SCHEMA),
];
