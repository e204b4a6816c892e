import { createHash } from 'node:crypto';
import type { Block, Trace } from '../../../../generated/trace.ts';
import { appendAll } from '../../../core/index.ts';
import {
  checkAppendRequest,
  createPendingBlocks,
  type NewBlock,
  type StoredBlock,
  type TraceLimits,
  withWritableArguments,
} from '../../model/index.ts';
import { COUNTERS, countStoredBlock, createTraceRecord, type TraceCounters, withoutTimes } from '../trace-changes.ts';
import { wholeBlocks } from './block-rows.ts';
import type { SqlDriver, SqlReader } from './driver.ts';
import { queryBlocks } from './read-blocks.ts';
import { TRACE_ROW_COLUMNS, TRACES_JOIN, type TraceRow, toTrace } from './traces.ts';

/** Accepts any size: the limits may have been higher when a block was written. */
const NO_LIMITS: TraceLimits = {
  message: Number.POSITIVE_INFINITY,
  think: Number.POSITIVE_INFINITY,
  toolArguments: Number.POSITIVE_INFINITY,
  toolResult: Number.POSITIVE_INFINITY,
  request: Number.POSITIVE_INFINITY,
};

/** Checks everything in the database. @returns a sentence per problem. */
export async function verifyDatabase(
  driver: SqlDriver,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<string[]> {
  const problems = [...(await driver.check())];
  const rids = await driver.query<{ readonly rid: number }>('SELECT rid FROM trace_rows ORDER BY rid');
  for (const [index, { rid }] of rids.entries()) {
    appendAll(problems, await verifyTrace(driver, rid));
    onProgress(index + 1, rids.length);
  }
  return [...problems, ...(await verifyOrganizations(driver)), ...(await verifyBlobs(driver))];
}

async function verifyTrace(driver: SqlDriver, rid: number): Promise<string[]> {
  const sql = `SELECT ${TRACE_ROW_COLUMNS} FROM ${TRACES_JOIN} WHERE t.rid = ?`;
  const [row] = await driver.query<TraceRow>(sql, [rid]);
  // Deleted since.
  if (!row) return [];
  const trace = toTrace(row);
  const checker = createChecker(trace);
  const reading = wholeBlocks(trace.id);
  // Includes blocks beyond the counters of the trace.
  const all = { rid, org_rid: 0, block_count: Number.MAX_SAFE_INTEGER - 1, bytes: Number.POSITIVE_INFINITY };
  await queryBlocks(
    driver,
    all,
    {},
    { ...reading, read: (rows: Parameters<typeof reading.read>[0]) => reading.read(rows).map(checker.add) },
  );
  return checker.end();
}

/** Checks the blocks of a trace, one after the other, against the rules, and their sums against its counters. */
function createChecker(trace: Trace) {
  const problems: string[] = [];
  const known = createPendingBlocks();
  let counters: TraceCounters = createTraceRecord(trace.id, {}, 0);
  let last = '';

  function add({ ord, block }: StoredBlock): void {
    const problem = (text: string) => problems.push(`${block.id} of ${trace.id} ${text}`);
    if (ord !== counters.block_count + 1) problem(`has ordinal ${ord} after ${counters.block_count} blocks`);
    if (block.created_at <= last) problem(`was written at ${block.created_at}, not after ${last}`);
    last = block.created_at;
    const context = { traceId: trace.id, limits: NO_LIMITS, known };
    const { failure } = checkAppendRequest(withWritableArguments(withoutTimes(block)), context);
    if (failure) problem(`breaks a rule: ${failure.message}`);
    known.add(forLinks(block));
    counters = countStoredBlock(counters, block);
  }

  function end(): string[] {
    for (const name of COUNTERS) {
      if (trace[name] === counters[name]) continue;
      problems.push(`${trace.id} has ${name} ${trace[name]}, and its blocks result in ${counters[name]}`);
    }
    return problems;
  }

  return { add, end };
}

/** Reduces a block to the fields that later blocks are checked against: a trace may be larger than the memory. */
function forLinks(block: Block): NewBlock {
  const { payload } = block;
  const links = { call_id: payload.call_id, seq: payload.seq };
  return { ...block, payload: links, raw: null, extra: null } as unknown as NewBlock;
}

async function verifyOrganizations(reader: SqlReader): Promise<string[]> {
  const strangers = await reader.query<{ readonly id: string; readonly trace: string }>(
    `SELECT b.id, t.id AS trace FROM block_rows AS b JOIN trace_rows AS t ON t.rid = b.trace_rid
     JOIN organizations AS o ON o.rid = t.org_rid WHERE b.org_rid <> t.org_rid OR o.name <> t.org`,
  );
  return strangers.map(({ id, trace }) => `${id} of ${trace} has the number of another organization`);
}

async function verifyBlobs(reader: SqlReader): Promise<string[]> {
  const rids = await reader.query<{ readonly org: string; readonly sha256: string }>('SELECT org, sha256 FROM blobs');
  const problems: string[] = [];
  for (const { org, sha256 } of rids) {
    const sql = 'SELECT data FROM blobs WHERE org = ? AND sha256 = ?';
    const [row] = await reader.query<{ readonly data: Uint8Array }>(sql, [org, sha256]);
    const found = row && createHash('sha256').update(row.data).digest('hex');
    if (found !== undefined && found !== sha256) problems.push(`the blob ${sha256} has the SHA-256 ${found}`);
  }
  return problems;
}
