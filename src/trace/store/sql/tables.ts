import type { DatabaseContent } from './driver.ts';

/** SQL of the tables and views that differs between the engines. */
export const SQLITE_SCHEMA = {
  /** Text of a client, which is compared and sorted by its bytes. */
  text: 'TEXT',
  /** Whole number of the store. */
  whole: 'INTEGER',
  /** Whole number of a client, which may have any size. */
  number: 'INTEGER',
  real: 'REAL',
  /** 0 or 1. */
  flag: 'INTEGER',
  bytes: 'BLOB',
  /** Primary key that the database assigns. */
  assigned: (_type: string) => 'INTEGER PRIMARY KEY',
  now: "TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
  isJson: (column: string) => `json_valid(${column})`,
  /** Constraint of a column that refers to a trace. Here, a trigger deletes the rows of a trace. */
  ofTrace: 'REFERENCES trace_rows (rid)',
  ofOrganization: 'REFERENCES organizations (rid)',
  traceConstraints: '',
  /** First columns of a block. */
  blockKey: 'rid INTEGER PRIMARY KEY, trace_rid INTEGER NOT NULL REFERENCES trace_rows (rid)',
  blockConstraints: `UNIQUE (trace_rid, ord),
  FOREIGN KEY (parent_block_id, org_rid) REFERENCES block_rows (id, org_rid),`,
  generated: 'VIRTUAL',
  /** Options of a table, and of two special ones. */
  end: 'STRICT',
  traceEnd: 'STRICT',
  tagEnd: 'STRICT, WITHOUT ROWID',
  /** Expressions of the views. */
  time: (us: string) =>
    `strftime('%Y-%m-%dT%H:%M:%S', ${us} / 1000000, 'unixepoch') || printf('.%06dZ', ${us} % 1000000)`,
  json: readableJson,
  jsonText: readableJson,
  /** Statement that replaces the view `traces`, without its body. */
  replaceTraces: 'DROP VIEW traces; CREATE VIEW traces',
  /** Running sum, which is a large number where a double would overflow. */
  runningSum: (column: string, window: string) => `sum(${column}) OVER (${window})`,
};

/**
 * Replaces NUL and lone surrogates in JSON by U+FFFD. SQLite would return text of them that is not UTF-8, and clients such
 * as that of Python then reject the whole result. The store writes surrogates as lower-case escapes only if they are lone.
 *
 * Between the escapes `\ud`, the text is split into elements of a JSON array, because SQLite has no regular expressions;
 * U+0001 stands for an escaped backslash meanwhile.
 */
function readableJson(column: string): string {
  const text = String.raw`replace(replace(${column}, '\\', char(1)), '\u0000', '\ufffd')`;
  const parts = String.raw`json_each('[' || replace(json_quote(${text}), '\\ud', '","') || ']')`;
  const part = String.raw`CASE WHEN key = 0 THEN value WHEN value GLOB '[89a-f]*' THEN '\ufffd' || substr(value, 4)
      ELSE '\ud' || value END`;
  return String.raw`CASE WHEN instr(${column}, '\u0000') > 0 OR ${column} GLOB '*\ud[89a-f]*'
    THEN replace((SELECT group_concat(${part}, '') FROM ${parts}), char(1), '\\')
    ELSE ${column} END`;
}

type SchemaDialect = typeof SQLITE_SCHEMA;

export const POSTGRES_SCHEMA: SchemaDialect = {
  text: 'text COLLATE "C"',
  whole: 'bigint',
  number: 'double precision',
  real: 'double precision',
  flag: 'smallint',
  bytes: 'bytea',
  assigned: (type) => `${type} GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
  now: 'timestamptz NOT NULL DEFAULT now()',
  isJson: (column) => `${column}::json IS NOT NULL`,
  ofTrace: 'REFERENCES trace_rows (rid) ON DELETE CASCADE',
  // A trigger checks it: a foreign key would lock the row of the organization for every trace.
  ofOrganization: '',
  traceConstraints: 'UNIQUE (rid, org_rid),',
  blockKey: 'trace_rid bigint NOT NULL',
  blockConstraints: `PRIMARY KEY (trace_rid, ord),
  FOREIGN KEY (trace_rid, org_rid) REFERENCES trace_rows (rid, org_rid) ON DELETE CASCADE,`,
  generated: 'STORED',
  end: '',
  // Every append updates the counters of its trace: leaves room for that in the page.
  traceEnd: 'WITH (fillfactor = 70)',
  tagEnd: '',
  time: (us) => `timestamptz 'epoch' + ${us} * interval '1 microsecond'`,
  json: (column) => `readable_json(${column})`,
  jsonText: (column) => `readable_json(${column})::text`,
  // Keeps views that use it; for that, new columns must be the last.
  replaceTraces: 'CREATE OR REPLACE VIEW traces',
  runningSum: (column, window) => `nearest(sum(exact(${column})) OVER (${window}))`,
};

/** Number of the first version of the tables. Databases with a smaller number have tables that were never released. */
const FIRST_VERSION = 4;

/** Returns the number of the last of these versions. */
export const newestVersion = (versions: readonly unknown[], first = FIRST_VERSION): number =>
  first + versions.length - 1;

/**
 * Returns the versions that a database does not have yet.
 *
 * @param version number of the version of the database, 0 if it is empty.
 * @param first number of the first of these versions.
 * @throws Error if the database has a version that is not one of these.
 */
export function missingVersions<Version>(
  database: string,
  version: number,
  versions: readonly Version[],
  content: DatabaseContent,
  first = FIRST_VERSION,
): readonly Version[] {
  if (version === 0) return versions;
  const newest = newestVersion(versions, first);
  if (version >= first && version <= newest) return versions.slice(version - first + 1);
  const advice = version > newest ? 'use the newer one' : 'use the ors-kit that created it, or a new database';
  throw new Error(
    `${database} has version ${version} of the ${content} tables, and this ors-kit knows ${newest}; ${advice}`,
  );
}

/**
 * Tables of both engines. Times are microseconds since 1970. Texts of clients are encoded by `encodeStoredText`. payload,
 * raw, extra, metadata and the other objects are JSON text as it was written; jsonb of PostgreSQL rejects U+0000 and
 * changes numbers. Blocks refer to their organization by a number, which keeps their rows and the index of their ids
 * small.
 *
 * These texts are a version of the schema: a change after its release needs a new version, see `schemaVersions` of each
 * engine.
 */
export const createTables = (schema: SchemaDialect): string =>
  traceTables(schema) + blockTable(schema) + scoreTable(schema) + otherTables(schema);

function traceTables({ text, whole, number, real, assigned, isJson, ofTrace, ...schema }: SchemaDialect): string {
  const { ofOrganization, traceConstraints, end, traceEnd, tagEnd } = schema;
  return `
CREATE TABLE organizations (
  rid ${assigned('integer')},
  name ${text} NOT NULL UNIQUE
) ${end};

CREATE TABLE trace_rows (
  rid ${assigned(whole)},
  id ${text} NOT NULL,
  org ${text} NOT NULL,
  org_rid integer NOT NULL ${ofOrganization},
  run ${text},
  group_key ${text},
  step ${number},
  status text NOT NULL CHECK (status IN ('running', 'finished', 'error', 'abandoned')),
  reward_sum ${real},
  reward_last ${real},
  reward_max ${real},
  reward_count ${whole} NOT NULL,
  block_count ${whole} NOT NULL,
  bytes ${whole} NOT NULL,
  error_count ${whole} NOT NULL,
  created_us ${whole} NOT NULL,
  finished_us ${whole},
  updated_us ${whole} NOT NULL CHECK (updated_us >= created_us),
  environment ${text},
  variant ${text},
  split ${text},
  task_index ${number},
  task_key ${text},
  group_id ${text},
  rollout_index ${number},
  model ${text},
  name ${text},
  UNIQUE (id, org),
  ${traceConstraints}
  CHECK ((reward_count = 0) = (reward_sum IS NULL))
) ${traceEnd};

CREATE INDEX traces_by_time ON trace_rows (org, created_us, id);
CREATE INDEX traces_by_run ON trace_rows (org, run, step, reward_sum);
CREATE INDEX traces_by_group ON trace_rows (org, run, group_key, created_us, reward_sum);
CREATE INDEX traces_of_run_by_time ON trace_rows (org, run, created_us, id);

-- Columns that may be large, and that statistics over many traces do not need.
CREATE TABLE trace_details (
  trace_rid ${whole} PRIMARY KEY ${ofTrace},
  input_key text NOT NULL,
  task_spec text CHECK (task_spec IS NULL OR ${isJson('task_spec')}),
  tags text NOT NULL CHECK (${isJson('tags')}),
  metadata text NOT NULL CHECK (${isJson('metadata')}),
  run_info text NOT NULL CHECK (${isJson('run_info')}),
  rollout_info text NOT NULL CHECK (${isJson('rollout_info')}),
  warnings text CHECK (warnings IS NULL OR ${isJson('warnings')})
) ${end};

CREATE TABLE trace_tags (
  trace_rid ${whole} NOT NULL ${ofTrace},
  tag ${text} NOT NULL,
  PRIMARY KEY (trace_rid, tag)
) ${tagEnd};

CREATE INDEX trace_tags_by_tag ON trace_tags (tag);
`;
}

const blockTable = ({ text, whole, real, flag, isJson, blockKey, blockConstraints, generated, end }: SchemaDialect) => `
CREATE TABLE block_rows (
  ${blockKey},
  ord ${whole} NOT NULL,
  id ${text} NOT NULL,
  org_rid integer NOT NULL,
  block_type text GENERATED ALWAYS AS (
    CASE sub_type WHEN 'MESSAGE' THEN 'MESSAGE' WHEN 'TOOL_RESULT' THEN 'OBSERVE' ELSE 'ACT' END
  ) ${generated},
  sub_type text NOT NULL CHECK (sub_type IN ('MESSAGE', 'TOOL_CALL', 'TOOL_RESULT', 'THINK')),
  parent_block_id ${text},
  call_id ${text},
  call_key ${text},
  seq ${whole} CHECK (seq >= 0),
  name ${text},
  role text,
  reward ${real},
  is_error ${flag} NOT NULL CHECK (is_error IN (0, 1)),
  bytes ${whole} NOT NULL,
  created_us ${whole} NOT NULL,
  preview text NOT NULL,
  metadata text NOT NULL CHECK (${isJson('metadata')}),
  extra text CHECK (extra IS NULL OR ${isJson('extra')}),
  raw text CHECK (raw IS NULL OR ${isJson('raw')}),
  payload text NOT NULL CHECK (${isJson('payload')}),
  UNIQUE (id, org_rid),
  ${blockConstraints}
  CHECK ((sub_type = 'MESSAGE') = (parent_block_id IS NULL)),
  CHECK ((sub_type IN ('TOOL_CALL', 'TOOL_RESULT')) = (call_key IS NOT NULL)),
  CHECK (call_id IS NULL OR call_id = call_key),
  CHECK (sub_type <> 'TOOL_CALL' OR call_key = coalesce(call_id, id))
) ${end};

CREATE INDEX blocks_by_parent ON block_rows (parent_block_id, org_rid) WHERE parent_block_id IS NOT NULL;
CREATE UNIQUE INDEX unique_call_keys ON block_rows (trace_rid, call_key) WHERE sub_type = 'TOOL_CALL';
CREATE UNIQUE INDEX unique_result_seqs ON block_rows (trace_rid, call_key, seq)
  WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL;
CREATE INDEX calls_by_name ON block_rows (trace_rid, name) WHERE name IS NOT NULL;
CREATE INDEX failed_results ON block_rows (trace_rid, ord) WHERE is_error = 1;
CREATE INDEX messages_in_order ON block_rows (trace_rid, seq, ord) WHERE sub_type = 'MESSAGE';
`;

const otherTables = ({ text, whole, number, bytes, now, isJson, ofTrace, end }: SchemaDialect) => `
-- Ids of deleted traces, which are never reused.
CREATE TABLE tombstones (
  trace_id ${text} NOT NULL,
  org ${text} NOT NULL,
  deleted_at ${now},
  PRIMARY KEY (trace_id, org)
) ${end};

CREATE TABLE idempotency (
  trace_rid ${whole} NOT NULL ${ofTrace},
  key ${text} NOT NULL,
  body_sha256 text NOT NULL,
  appended text NOT NULL CHECK (${isJson('appended')}),
  expires_us ${whole} NOT NULL,
  PRIMARY KEY (trace_rid, key)
) ${end};

CREATE INDEX idempotency_by_end ON idempotency (expires_us);

-- Rollout events that wait for earlier ones; settled events have no text.
CREATE TABLE rollout_events (
  trace_rid ${whole} NOT NULL ${ofTrace},
  id ${text} NOT NULL,
  event_index ${number} NOT NULL,
  text text,
  PRIMARY KEY (trace_rid, id)
) ${end};

CREATE INDEX pending_events ON rollout_events (trace_rid, event_index, id) WHERE text IS NOT NULL;

CREATE TABLE blobs (
  org ${text} NOT NULL,
  sha256 text NOT NULL,
  media_type text NOT NULL,
  data ${bytes} NOT NULL,
  PRIMARY KEY (org, sha256)
) ${end};

-- Stores only the hashes of the keys.
CREATE TABLE api_keys (
  id ${text} PRIMARY KEY,
  org ${text} NOT NULL,
  name text NOT NULL,
  scopes text NOT NULL CHECK (${isJson('scopes')}),
  sha256 text NOT NULL UNIQUE,
  created_at ${text} NOT NULL,
  revoked_at text
) ${end};

-- Written by the check whether the store is writable.
CREATE TABLE probe (rid integer PRIMARY KEY CHECK (rid = 1), at_us ${whole} NOT NULL) ${end};
`;

const scoreTable = ({ text, whole, real, assigned, isJson, ofTrace, end }: SchemaDialect) => `
-- Scores of runs, traces and blocks.
CREATE TABLE score_rows (
  rid ${assigned(whole)},
  id ${text} NOT NULL,
  org ${text} NOT NULL,
  trace_rid ${whole} ${ofTrace},
  block_id ${text},
  run ${text},
  name ${text} NOT NULL,
  value ${real},
  label ${text},
  comment text,
  author ${text},
  source text NOT NULL CHECK (source IN ('human', 'model', 'code')),
  metadata text NOT NULL CHECK (${isJson('metadata')}),
  created_us ${whole} NOT NULL,
  UNIQUE (id, org),
  CHECK ((trace_rid IS NULL) = (run IS NOT NULL)),
  CHECK (block_id IS NULL OR trace_rid IS NOT NULL),
  CHECK (value IS NOT NULL OR label IS NOT NULL OR comment IS NOT NULL)
) ${end};

CREATE INDEX scores_by_trace ON score_rows (trace_rid, name);
CREATE INDEX scores_by_name ON score_rows (org, name, value);
CREATE INDEX scores_by_time ON score_rows (org, created_us, id);
`;

/** Second version: what traces report that they used; null for traces that were written before. */
export const addUsage = ({ real }: SchemaDialect): string => `
ALTER TABLE trace_rows ADD COLUMN tokens ${real};
ALTER TABLE trace_rows ADD COLUMN cost ${real};
`;

/** Third version: the trace that a trace continues. Statistics over the traces of a run read only their index. */
export const addParents = (schema: SchemaDialect): string => `
ALTER TABLE trace_rows ADD COLUMN parent_trace_id ${schema.text};
ALTER TABLE trace_rows ADD COLUMN parent_calls ${schema.number} CHECK (parent_calls IS NULL OR parent_trace_id IS NOT NULL);
CREATE INDEX traces_by_parent ON trace_rows (org, parent_trace_id, created_us, id) WHERE parent_trace_id IS NOT NULL;
DROP INDEX traces_by_run;
CREATE INDEX traces_by_run ON trace_rows (org, run, step, reward_sum, parent_trace_id);
${schema.replaceTraces} AS${tracesView(schema, ', t.parent_trace_id, t.parent_calls')};
`;

/** Fourth version: the agent of a block; null for the main one, and for blocks that were written before. */
export const addThreads = ({ text }: SchemaDialect): string => `
ALTER TABLE block_rows ADD COLUMN thread ${text};
`;

/** Columns of a trace that never change. */
export const IMMUTABLE_COLUMNS = `rid, id, org, org_rid, run, environment, variant, split, task_key, group_id,
  rollout_index, model, created_us`;

/** Body of the view `traces`. @param more further columns. */
const tracesView = ({ time, json }: SchemaDialect, more = ''): string => `
  SELECT t.org, t.id, t.name, t.run, t.environment, t.variant, t.split, t.task_index, t.task_key, t.group_id, t.step,
    t.rollout_index, t.model, t.status, t.reward_sum, t.reward_last, t.reward_max, t.reward_count, t.block_count, t.bytes,
    t.error_count, ${json('d.tags')} AS tags, ${json('d.task_spec')} AS task_spec, ${json('d.metadata')} AS metadata,
    ${json('d.run_info')} AS run_info, ${json('d.rollout_info')} AS rollout_info, ${json('d.warnings')} AS warnings,
    ${time('t.created_us')} AS created_at, ${time('t.finished_us')} AS finished_at,
    ${time('t.updated_us')} AS updated_at${more}
  FROM trace_rows AS t JOIN trace_details AS d ON d.trace_rid = t.rid`;

/**
 * Views for people with an SQL shell; the store does not read them. `trace_blocks` has every field of the trace data
 * model, of which `block_rows` stores neither the id of the trace nor times as text. `traces` has a row per trace with
 * its times as text; `blocks` a row per block with the id of its trace; `rewards` a row per block with a reward, with
 * the run and step of its trace and the sum of the rewards so far; `scores` a row per score with the id and run of its
 * trace. In their JSON, U+FFFD replaces NUL and lone surrogates, with which a query over many rows would fail; the tables
 * have the original text.
 */
export function createViews(schema: SchemaDialect): string {
  const { time, json, jsonText, runningSum } = schema;
  return `
CREATE VIEW trace_blocks AS
  SELECT b.id, t.id AS trace_id, b.block_type, b.sub_type, ${jsonText('b.payload')} AS payload, b.parent_block_id,
    ${jsonText('b.metadata')} AS metadata, ${jsonText('b.raw')} AS raw, ${jsonText('b.extra')} AS extra,
    ${time('b.created_us')} AS created_at, ${time('b.created_us')} AS updated_at, b.trace_rid, b.ord,
    b.org_rid, b.call_id, b.call_key, b.seq, b.name, b.role, b.reward, b.is_error, b.bytes, b.created_us, b.preview
  FROM block_rows AS b JOIN trace_rows AS t ON t.rid = b.trace_rid;

CREATE VIEW blocks AS
  SELECT t.org, t.id AS trace_id, b.ord, b.id, b.block_type, b.sub_type, b.parent_block_id, b.call_id, b.seq, b.name,
    b.role, b.reward, b.is_error, b.bytes, b.preview, ${json('b.payload')} AS payload, ${json('b.metadata')} AS metadata,
    ${json('b.raw')} AS raw, ${json('b.extra')} AS extra, ${time('b.created_us')} AS created_at,
    ${time('b.created_us')} AS updated_at
  FROM block_rows AS b JOIN trace_rows AS t ON t.rid = b.trace_rid;

CREATE VIEW traces AS${tracesView(schema)};

CREATE VIEW rewards AS
  SELECT t.org, t.run, t.environment, t.split, t.step, t.group_id, t.task_key, t.rollout_index, t.id AS trace_id, b.ord,
    b.id AS block_id, b.reward, ${runningSum('b.reward', 'PARTITION BY b.trace_rid ORDER BY b.ord')} AS reward_until_then
  FROM block_rows AS b JOIN trace_rows AS t ON t.rid = b.trace_rid
  WHERE b.reward IS NOT NULL;

CREATE VIEW scores AS
  SELECT s.org, s.id, t.id AS trace_id, s.block_id, coalesce(s.run, t.run) AS run, s.name, s.value, s.label, s.comment,
    s.author, s.source, ${json('s.metadata')} AS metadata, ${time('s.created_us')} AS created_at
  FROM score_rows AS s LEFT JOIN trace_rows AS t ON t.rid = s.trace_rid;
`;
}
