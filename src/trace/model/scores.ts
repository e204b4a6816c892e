import type { Score, ScoreInput, ValidationIssue } from '../../../generated/trace.ts';
import { canonicalJson, parseNumber } from '../../core/index.ts';
import { newScoreId } from './ids.ts';

/** Checks what the schema of a score cannot express. */
export function scoreIssues(score: ScoreInput): ValidationIssue[] {
  const { trace_id = null, block_id = null, run = null, value = null, label = null, comment = null } = score;
  const issues: ValidationIssue[] = [];
  if ((trace_id === null) === (run === null)) {
    const got = run === null ? 'neither' : 'both';
    issues.push({ path: '/trace_id', rule: 'score_target', expected: 'either trace_id or run', got });
  }
  if (block_id !== null && trace_id === null) {
    issues.push({ path: '/block_id', rule: 'score_target', expected: 'left out without a trace_id', got: 'a block' });
  }
  if (value === null && label === null && comment === null) {
    issues.push({ path: '/value', rule: 'score_empty', expected: 'a value, a label or a comment', got: 'none' });
  }
  return issues;
}

/** Fills in the optional fields of a valid score. */
export const toScore = (input: ScoreInput, created_at: string): Score => ({
  id: input.id ?? newScoreId(),
  trace_id: input.trace_id ?? null,
  block_id: input.block_id ?? null,
  run: input.run ?? null,
  name: input.name,
  value: input.value ?? null,
  label: input.label ?? null,
  comment: input.comment ?? null,
  author: input.author ?? null,
  source: input.source ?? 'human',
  metadata: input.metadata ?? {},
  created_at,
});

/** Returns true if two scores differ at most in their times. */
export const isSameScore = (one: Score, other: Score): boolean =>
  canonicalJson({ ...one, created_at: '' }) === canonicalJson({ ...other, created_at: '' });

/** Condition on the scores of a trace, such as `correctness>=0.5`. */
export interface ScoreCondition {
  readonly name: string;
  readonly operator?: '=' | '>' | '>=' | '<' | '<=';
  /** Number or label to compare with; a label only for `=`. */
  readonly value?: number | string;
}

/** Parses a condition on scores. @returns undefined if it is invalid. */
export function parseScoreCondition(text: string): ScoreCondition | undefined {
  const [, name = '', operator, wanted = ''] = /^([^<>=]+?)\s*(?:(>=|<=|=|>|<)\s*(.+))?$/s.exec(text.trim()) ?? [];
  if (name === '') return undefined;
  if (operator === undefined) return { name };
  const value = parseNumber(wanted) ?? wanted;
  if (typeof value === 'string' && operator !== '=') return undefined;
  // The pattern has only these operators.
  return { name, operator: operator as NonNullable<ScoreCondition['operator']>, value };
}

/** Returns true if one of the scores matches a condition. */
export const matchesScore = (scores: readonly Score[], { name, operator, value }: ScoreCondition): boolean =>
  scores.some((score) => {
    if (score.name !== name) return false;
    if (operator === undefined) return true;
    if (typeof value === 'string') return score.label === value;
    if (score.value === null || value === undefined) return false;
    if (operator === '=') return score.value === value;
    if (operator === '>=') return score.value >= value;
    if (operator === '<=') return score.value <= value;
    return operator === '>' ? score.value > value : score.value < value;
  });

/** Name of the scores that `score:<name>` sorts by; undefined for other sort keys. */
export const sortedScore = (sort: string): string | undefined =>
  sort.startsWith('score:') ? sort.slice('score:'.length) : undefined;
