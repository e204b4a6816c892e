import type { DatabaseContent } from '../driver.ts';
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
  SQLITE_SCHEMA,
} from '../tables.ts';
import { retryWhileLocked, type SqliteConnection, singleNumber } from './connection.ts';

/**
 * Migrates the database to the newest version in one transaction. Foreign keys are off meanwhile: SQLite changes a
 * constraint only by rebuilding the table, and other tables refer to its rows.
 *
 * @param versions SQL of each version, see `schemaVersions`.
 * @throws Error if the database belongs to another program, or has an unknown version.
 */
export async function migrateSqlite(
  connection: SqliteConnection,
  path: string,
  versions: readonly string[] = schemaVersions,
  content: DatabaseContent = 'trace',
): Promise<void> {
  const { database } = connection;
  // Has no effect inside a transaction.
  database.exec('PRAGMA foreign_keys = OFF');
  await retryWhileLocked(() => connection.run('BEGIN IMMEDIATE'));
  try {
    const version = singleNumber(connection.run('PRAGMA user_version'));
    if (version === 0 && singleNumber(connection.run('SELECT count(*) FROM sqlite_schema')) > 0) {
      throw new Error(`${path} is the database of another program; use a separate file`);
    }
    const missing = missingVersions(path, version, versions, content);
    for (const sql of missing) database.exec(sql);
    // Writes nothing if nothing is missing: the first write after a crash waits for the checkpoint of a long WAL.
    if (missing.length > 0) database.exec(`PRAGMA user_version = ${newestVersion(versions)}`);
    connection.run('COMMIT');
  } catch (error) {
    connection.run('ROLLBACK');
    throw error;
  }
  database.exec('PRAGMA foreign_keys = ON');
}

/** Body of a trigger that rejects a statement. */
const refuse = (message: string): string => `BEGIN
  SELECT RAISE(ABORT, '${message}');
END;`;

/**
 * Rules of the trace data model, for every program that writes. They are triggers because triggers also run in
 * connections without foreign keys, and for INSERT OR REPLACE. Each message begins with the name of its rule.
 */
const rules = `
CREATE TRIGGER traces_are_immutable BEFORE UPDATE OF ${IMMUTABLE_COLUMNS} ON trace_rows
${refuse('immutable: only the name, status, step, task_index and counters of a trace can change')}

CREATE TRIGGER traces_are_new BEFORE INSERT ON trace_rows
WHEN EXISTS (SELECT 1 FROM trace_rows WHERE id = NEW.id AND org = NEW.org)
  OR EXISTS (SELECT 1 FROM tombstones WHERE trace_id = NEW.id AND org = NEW.org)
${refuse('duplicate: this organization has, or had, a trace with this id')}

CREATE TRIGGER traces_belong_to_their_organization BEFORE INSERT ON trace_rows
WHEN NEW.org IS NOT (SELECT name FROM organizations WHERE rid = NEW.org_rid)
${refuse('organization: org and org_rid of a trace name different organizations')}

CREATE TRIGGER organizations_are_immutable BEFORE UPDATE ON organizations
${refuse('immutable: organizations are never changed')}

CREATE TRIGGER organizations_are_kept BEFORE DELETE ON organizations
${refuse('immutable: organizations are never deleted')}

CREATE TRIGGER traces_delete_their_rows AFTER DELETE ON trace_rows
BEGIN
  INSERT INTO tombstones (trace_id, org) VALUES (OLD.id, OLD.org);
  DELETE FROM block_rows WHERE trace_rid = OLD.rid;
  DELETE FROM trace_details WHERE trace_rid = OLD.rid;
  DELETE FROM trace_tags WHERE trace_rid = OLD.rid;
  DELETE FROM idempotency WHERE trace_rid = OLD.rid;
  DELETE FROM rollout_events WHERE trace_rid = OLD.rid;
  DELETE FROM score_rows WHERE trace_rid = OLD.rid;
END;

CREATE TRIGGER tombstones_are_kept BEFORE DELETE ON tombstones
${refuse('immutable: the id of a deleted trace is never reused')}

CREATE TRIGGER blocks_are_immutable BEFORE UPDATE ON block_rows
${refuse('immutable: blocks are never changed')}

CREATE TRIGGER blocks_are_deleted_with_their_trace BEFORE DELETE ON block_rows
WHEN EXISTS (SELECT 1 FROM trace_rows WHERE rid = OLD.trace_rid)
${refuse('immutable: blocks are deleted only with their trace')}

-- A BEFORE trigger, so that INSERT OR REPLACE cannot delete other rows first.
CREATE TRIGGER blocks_are_new BEFORE INSERT ON block_rows
WHEN EXISTS (SELECT 1 FROM block_rows WHERE id = NEW.id AND org_rid = NEW.org_rid)
  OR (NEW.sub_type = 'TOOL_CALL' AND EXISTS (
    SELECT 1 FROM block_rows WHERE trace_rid = NEW.trace_rid AND call_key = NEW.call_key AND sub_type = 'TOOL_CALL'))
  OR (NEW.sub_type = 'TOOL_RESULT' AND NEW.seq IS NOT NULL AND EXISTS (
    SELECT 1 FROM block_rows WHERE trace_rid = NEW.trace_rid AND call_key = NEW.call_key AND seq = NEW.seq
      AND sub_type = 'TOOL_RESULT' AND seq IS NOT NULL))
${refuse('duplicate: there is a block with this id, call_id or seq')}

CREATE TRIGGER blocks_are_in_order BEFORE INSERT ON block_rows
WHEN NEW.ord IS NOT 1 + coalesce((SELECT max(ord) FROM block_rows WHERE trace_rid = NEW.trace_rid), 0)
  OR NEW.created_us <= coalesce(
    (SELECT created_us FROM block_rows WHERE trace_rid = NEW.trace_rid AND ord = NEW.ord - 1), 0)
${refuse('order: a block must have the next ordinal of its trace, and a later time')}

CREATE TRIGGER blocks_belong_to_their_organization BEFORE INSERT ON block_rows
WHEN NEW.org_rid IS NOT (SELECT org_rid FROM trace_rows WHERE rid = NEW.trace_rid)
${refuse('organization: a block must have the org_rid of its trace')}

CREATE TRIGGER blocks_have_valid_parents BEFORE INSERT ON block_rows
WHEN NEW.sub_type <> 'MESSAGE' AND NOT EXISTS (
  SELECT 1 FROM block_rows AS parent
  WHERE parent.id = NEW.parent_block_id AND parent.org_rid = NEW.org_rid AND parent.trace_rid = NEW.trace_rid
    AND ${parentRule('NEW')})
${refuse('parent: not in this trace, of a wrong sub_type, or with another call_id')}
`;

const parentRules = `
CREATE TRIGGER parents_are_immutable BEFORE UPDATE OF parent_trace_id, parent_calls ON trace_rows
${refuse('immutable: the parent of a trace cannot change')}
`;

/** SQL that creates each version of the schema from the previous one. A published version never changes. */
export const schemaVersions: readonly string[] = [
  `${createTables(SQLITE_SCHEMA)}${rules}${createViews(SQLITE_SCHEMA)}`,
  addUsage(SQLITE_SCHEMA),
  `${addParents(SQLITE_SCHEMA)}${parentRules}`,
  addThreads(SQLITE_SCHEMA),
];
