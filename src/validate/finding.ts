import { oneLine, previewJson, truncate } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import type { CallEvidence, Evidence, UntestedReason } from './evidence.ts';

/**
 * `error`: wrong for everyone. `warning`: wrong for some trainers or models. `note`: not a defect.
 *
 * @example
 * const isDefect = (level: FindingLevel) => level !== 'note';
 */
export type FindingLevel = 'error' | 'warning' | 'note';

/**
 * Problem of an environment, or a fact worth knowing.
 *
 * @example
 * const format = ({ level, rule, message }: ValidationFinding) => `${level} ${rule}: ${message}`;
 */
export interface ValidationFinding {
  readonly level: FindingLevel;
  /** Name of the rule. */
  readonly rule: string;
  readonly environment: string;
  readonly split?: string;
  readonly index?: number;
  /** Describes the observation with its values, and what to do. */
  readonly message: string;
}

/** Finding of a rule. Its level defaults to the first level of the rule. */
export type RuleFinding = Omit<ValidationFinding, 'rule' | 'environment' | 'level'> & { readonly level?: FindingLevel };

/**
 * Requirement that a correct environment meets.
 *
 * @example
 * const format = ({ name, sentence }: ValidationRule) => `${name}: ${sentence}`;
 * const lines = validationRules.map(format);
 */
export interface ValidationRule {
  readonly name: string;
  /** Levels of its findings, the usual one first. */
  readonly levels: readonly [FindingLevel, ...FindingLevel[]];
  /** The requirement, as a sentence without a full stop. */
  readonly sentence: string;
  /** Why the rule matters, how it is tested, and what to do about a finding. */
  readonly explanation: string;
  /** Returns why the rule was not tested; undefined if it was. @default always tested */
  readonly untested?: UntestedReason;
  /** Returns what violates the rule, from the episodes that were played. */
  readonly check: (evidence: Evidence) => Iterable<RuleFinding>;
}

/** Returns a text for a message, on one line and truncated. */
export const truncateLine = (text: string, max = 80): string => truncate(oneLine(text), max);

/** Returns the part of a text around the position where it begins to differ from another. */
export function excerpt(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return truncateLine((at > 20 ? '…' : '') + text.slice(at > 20 ? at - 15 : 0), 60);
}

/** Formats a call, such as `submit({"answer":"7"})`. */
export const formatCall = ({ tool, input }: Pick<CallEvidence, 'tool' | 'input'>): string =>
  `${tool}(${previewJson(input)})`;

/** Formats a share of the sampled tasks, such as `1 of 5 sampled tasks`. */
export const formatShare = (some: number, all: number): string =>
  all === 1 ? 'its only sampled task' : some === all ? `all ${all} sampled tasks` : `${some} of ${all} sampled tasks`;

export interface JsonLeaf {
  /** Keys joined by `.`; every index of an array is `[]`. */
  readonly path: string;
  readonly value: string | number | boolean;
  readonly text: string;
}

/** Returns the scalars in a JSON value. */
export function leavesOf(value: JSONValue | undefined, path = ''): JsonLeaf[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, `${path}[]`));
  if (typeof value !== 'object') return [{ path, value, text: String(value).trim() }];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, path === '' ? key : `${path}.${key}`));
}
