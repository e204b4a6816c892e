import type { SubType } from '../../../generated/trace.ts';
import { isRecord, utf8Length } from '../../core/index.ts';
import { describeValueKind, formatShortValue, type ReportIssue } from './issues.ts';
import { parseArguments } from './parse-arguments.ts';

type RulePayload = Readonly<Record<string, unknown>>;

const ROLES: readonly unknown[] = ['system', 'user', 'assistant'];
const NAME = /^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u;
const MAX_NAME_BYTES = 256;

/** The rules V4 to V8: what the payload of each kind of block must be. Sizes are not looked at. */
export const payloadRules: Readonly<Record<SubType, (payload: RulePayload, report: ReportIssue) => void>> = {
  MESSAGE: checkMessage,
  TOOL_CALL: checkToolCall,
  THINK: checkThink,
  TOOL_RESULT: checkToolResult,
};

function checkMessage({ role, content }: RulePayload, report: ReportIssue): void {
  if (!ROLES.includes(role)) report('/payload/role', 'role', 'system, user or assistant', formatShortValue(role));
  if (isNothing(content) || content === '' || (Array.isArray(content) && content.length === 0)) {
    report('/payload/content', 'content_empty', 'text or a list of parts, and not empty', describeValueKind(content));
  } else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) checkPart(part, `/payload/content/${index}`, report);
  } else if (typeof content !== 'string') {
    report('/payload/content', 'type', 'text or a list of parts', describeValueKind(content));
  }
}

function checkPart(part: unknown, path: string, report: ReportIssue): void {
  if (!isRecord(part)) report(path, 'type', 'an object with a type', describeValueKind(part));
  else if (typeof part.type !== 'string' || part.type === '') {
    report(`${path}/type`, 'type', 'a string, and not empty', describeValueKind(part.type));
  }
}

function checkToolCall({ name, arguments: given, call_id }: RulePayload, report: ReportIssue): void {
  if (!isToolName(name)) {
    const expected = `a name of 1 to ${MAX_NAME_BYTES} bytes without control characters and outer white space`;
    report('/payload/name', 'name', expected, formatShortValue(name));
  }
  if (typeof given === 'string') {
    const { issue } = parseArguments(given);
    if (issue) report('/payload/arguments', ...issue);
  } else if (!isRecord(given)) {
    report('/payload/arguments', 'arguments_not_object', 'an object, or JSON text of one', describeValueKind(given));
  }
  checkCallId(call_id, report);
}

/** Whether a value can be the name of a tool. */
export const isToolName = (name: unknown): name is string =>
  typeof name === 'string' && NAME.test(name) && utf8Length(name) <= MAX_NAME_BYTES;

function checkThink({ text }: RulePayload, report: ReportIssue): void {
  if (isNothing(text) || text === '')
    report('/payload/text', 'text_empty', 'text, and not empty', describeValueKind(text));
  else if (typeof text !== 'string') report('/payload/text', 'type', 'text', describeValueKind(text));
}

function checkToolResult({ output, delta, seq, call_id }: RulePayload, report: ReportIssue): void {
  const isOutput = !isNothing(output) || (output === null && delta === undefined);
  if (isOutput !== isNothing(delta)) {
    const got = `output ${describeValueKind(output)} and delta ${describeValueKind(delta)}`;
    report('/payload', 'output_xor_delta', 'an object with exactly one of output and delta', got);
  } else if (!isOutput && typeof delta !== 'string' && !Array.isArray(delta)) {
    report('/payload/delta', 'type', 'text or a list', describeValueKind(delta));
  }
  if (!isNothing(seq) && !isSeq(seq)) {
    report(
      '/payload/seq',
      'seq',
      `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, or null`,
      formatShortValue(seq),
    );
  }
  checkCallId(call_id, report);
}

function checkCallId(callId: unknown, report: ReportIssue): void {
  if (callId === undefined) return;
  if (typeof callId === 'string' && callId !== '' && utf8Length(callId) <= MAX_NAME_BYTES) return;
  report('/payload/call_id', 'call_id', `a string of 1 to ${MAX_NAME_BYTES} bytes`, formatShortValue(callId));
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Whether a value can be the place of a result among those of its call. */
export const isSeq = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
