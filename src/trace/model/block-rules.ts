import type { Block, SubType, TraceId } from '../../../generated/trace.ts';
import { isRecord, pointerSegment } from '../../core/index.ts';
import { BLOCK_ID } from './ids.ts';
import { describeValueKind, formatShortValue, type ReportIssue } from './issues.ts';
import { payloadRules } from './payload-rules.ts';

/** The lane of each kind of block. Source: trace data model, block_type. */
export const BLOCK_TYPES = {
  MESSAGE: 'MESSAGE',
  TOOL_CALL: 'ACT',
  THINK: 'ACT',
  TOOL_RESULT: 'OBSERVE',
} as const satisfies Record<SubType, Block['block_type']>;

const FIELDS = ['id', 'trace_id', 'block_type', 'sub_type', 'payload', 'parent_block_id', 'raw', 'extra'];
const OF_THE_STORE = ['metadata', 'created_at', 'updated_at'];

/**
 * The rules V1 to V8 and V10: all that one block shows by itself but for sizes. V10 is among them because it asks nothing
 * of the store.
 */
export function validateBlock(block: unknown, traceId: TraceId, report: ReportIssue): void {
  if (!isRecord(block)) {
    report('', 'type', 'an object', describeValueKind(block));
    return;
  }
  checkFields(block, report);
  checkIds(block, traceId, report);
  const { sub_type, block_type, payload, extra } = block;
  if (!isSubType(sub_type)) {
    report('/sub_type', 'enum', 'MESSAGE, TOOL_CALL, TOOL_RESULT or THINK', formatShortValue(sub_type));
  } else if (block_type !== undefined && block_type !== BLOCK_TYPES[sub_type]) {
    report('/block_type', 'block_type_mismatch', `${BLOCK_TYPES[sub_type]} or left out`, formatShortValue(block_type));
  }
  if (!isRecord(payload)) report('/payload', 'type', 'an object', describeValueKind(payload));
  else if (isSubType(sub_type)) payloadRules[sub_type](payload, report);
  if (extra !== undefined && extra !== null && !isRecord(extra)) {
    report('/extra', 'type', 'an object or null', describeValueKind(extra));
  }
  if (isSubType(sub_type)) checkParent(sub_type, block.parent_block_id, report);
}

function checkFields(block: Readonly<Record<string, unknown>>, report: ReportIssue): void {
  for (const [field, value] of Object.entries(block)) {
    if (FIELDS.includes(field)) continue;
    if (OF_THE_STORE.includes(field))
      report(pointerSegment(field), 'read_only', 'left to the store', describeValueKind(value));
    else report(pointerSegment(field), 'unknown_field', `one of ${FIELDS.join(', ')}`, describeValueKind(value));
  }
}

function checkIds({ id, trace_id }: Readonly<Record<string, unknown>>, traceId: TraceId, report: ReportIssue): void {
  if (id !== undefined && !isBlockId(id)) report('/id', 'id_format', BLOCK_ID_TEXT, formatShortValue(id));
  if (trace_id !== undefined && trace_id !== traceId) {
    report('/trace_id', 'trace_id_mismatch', `${traceId}, as in the path, or left out`, formatShortValue(trace_id));
  }
}

function checkParent(subType: SubType, parent: unknown, report: ReportIssue): void {
  const isAbsent = parent === undefined || parent === null;
  if (subType === 'MESSAGE') {
    if (!isAbsent)
      report('/parent_block_id', 'parent_forbidden', 'left out: a MESSAGE has no parent', formatShortValue(parent));
  } else if (isAbsent) {
    report(
      '/parent_block_id',
      'parent_required',
      `the id of a ${PARENT_SUB_TYPES[subType]}`,
      describeValueKind(parent),
    );
  } else if (!isBlockId(parent)) {
    report('/parent_block_id', 'parent_format', BLOCK_ID_TEXT, formatShortValue(parent));
  }
}

/** What each kind of block hangs under. Source: trace data model, invariants. */
export const PARENT_SUB_TYPES = { TOOL_CALL: 'MESSAGE', THINK: 'MESSAGE', TOOL_RESULT: 'TOOL_CALL' } as const;

const BLOCK_ID_TEXT = 'tb_ and 1 to 64 letters, digits, - or _';

const isBlockId = (value: unknown): value is string => typeof value === 'string' && BLOCK_ID.test(value);

const isSubType = (value: unknown): value is SubType => typeof value === 'string' && Object.hasOwn(BLOCK_TYPES, value);
