import type { ValidationIssue } from '../../../generated/trace.ts';
import { jsonTypeOf, typePhrase } from '../../core/index.ts';

/** What a rule that does not depend on other blocks is called in `details.issues`. */
export type IssueRule =
  | 'arguments_not_json'
  | 'arguments_not_object'
  | 'batch_size'
  | 'block_type_mismatch'
  | 'call_id'
  | 'call_id_mismatch'
  | 'content_empty'
  | 'enum'
  | 'id_format'
  | 'name'
  | 'number_not_preserved'
  | 'output_xor_delta'
  | 'parent_forbidden'
  | 'parent_format'
  | 'parent_not_in_trace'
  | 'parent_required'
  | 'read_only'
  | 'role'
  | 'seq'
  | 'text_empty'
  | 'trace_id_mismatch'
  | 'type'
  | 'unknown_field';

/** Takes down that the value at a path breaks a rule; `got` is a kind or a short text of it. */
export type ReportIssue = (path: string, rule: IssueRule, expected: string, got: string) => void;

const MAX_SHOWN = 80;
const MAX_PATH = 200;

/** An issue of the block at a place in its batch; `index` is undefined where a request is one block. */
export function createIssue(
  index: number | undefined,
  [path, rule, expected, got]: Parameters<ReportIssue>,
): ValidationIssue & { readonly rule: IssueRule } {
  const place = path.slice(0, MAX_PATH).toWellFormed();
  return { ...(index === undefined ? {} : { index }), path: place, rule, expected, got };
}

/** Returns the type of a value as a phrase, which says nothing about its content. */
export function describeValueKind(value: unknown): string {
  const type = jsonTypeOf(value);
  return type === undefined ? 'nothing' : typePhrase(type);
}

/** The value itself where it is short: for fields that hold one of few words, or a number. */
export function formatShortValue(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return describeValueKind(value);
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN) : value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}
