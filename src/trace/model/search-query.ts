import type { BlockSkeleton, Score, SearchHit, SubType, Trace } from '../../../generated/trace.ts';
import { groupBy, nearestName, parseNumber, truncate } from '../../core/index.ts';
import { matchesScore, type ScoreCondition } from './scores.ts';
import { compareField, traceFieldReader } from './trace-filter.ts';

interface FieldDefinition {
  readonly of: 'trace' | 'block';
  /** `any` compares numbers as numbers and texts as texts. */
  readonly kind: 'text' | 'number' | 'time' | 'choice' | 'any';
  /** Sentence for completions and help. */
  readonly help: string;
  /** Set if a key follows, such as `meta.level`. */
  readonly hasKey?: true;
  /** Field of `traceFieldReader`. @default the name of the field */
  readonly reads?: string;
  readonly choices?: readonly string[];
}

/** Fields of the query language of searches, in the order of completions. */
export const SEARCH_FIELDS = {
  tool: { of: 'block', kind: 'text', help: 'Calls of a tool, and their results' },
  error: { of: 'block', kind: 'any', help: 'Failed results: true, or a text of theirs', choices: ['true', 'false'] },
  kind: { of: 'block', kind: 'choice', help: 'Kind of the block', choices: ['message', 'thought', 'call', 'result'] },
  role: { of: 'block', kind: 'text', help: 'Role of a message', choices: ['user', 'assistant', 'system'] },
  model: { of: 'trace', kind: 'text', help: 'Name of the model' },
  env: { of: 'trace', kind: 'text', help: 'Name of the environment', reads: 'environment' },
  run: { of: 'trace', kind: 'text', help: 'Name of the run' },
  reward: { of: 'trace', kind: 'number', help: 'Sum of the rewards, such as reward:>0.5' },
  status: {
    of: 'trace',
    kind: 'choice',
    help: 'Status of the trace',
    choices: ['running', 'finished', 'error', 'abandoned'],
  },
  split: { of: 'trace', kind: 'text', help: 'Split of the task' },
  task: { of: 'trace', kind: 'text', help: 'Index or key of the task' },
  group: { of: 'trace', kind: 'text', help: 'Id of the group' },
  parent: { of: 'trace', kind: 'text', help: 'Id of the trace that it continues' },
  step: { of: 'trace', kind: 'number', help: 'Training step' },
  tag: { of: 'trace', kind: 'text', help: 'Tag of the trace' },
  meta: { of: 'trace', kind: 'any', help: 'Metadata of the trace by key: meta.level:hard', hasKey: true },
  score: { of: 'trace', kind: 'any', help: 'Score by name: score.correctness:>=0.5, or score:correctness' },
  after: { of: 'trace', kind: 'time', help: 'Created at this time or later: 2026-01-31, or 7d ago', reads: 'created' },
  before: { of: 'trace', kind: 'time', help: 'Created before this time', reads: 'created' },
  name: { of: 'trace', kind: 'text', help: 'Name of the trace' },
  trace: { of: 'trace', kind: 'text', help: 'Id of the trace', reads: 'id' },
  blocks: { of: 'trace', kind: 'number', help: 'Number of blocks' },
  errors: { of: 'trace', kind: 'number', help: 'Number of failed results of the trace' },
} as const satisfies Readonly<Record<string, FieldDefinition>>;

export type SearchField = keyof typeof SEARCH_FIELDS;

/** Names of the fields. Its keys are names. */
const FIELD_NAMES = Object.keys(SEARCH_FIELDS) as readonly SearchField[];
const definitionOf = (field: SearchField): FieldDefinition => SEARCH_FIELDS[field];
const ALIASES: ReadonlyMap<string, SearchField> = new Map([
  ['environment', 'env'],
  ['metadata', 'meta'],
]);
const SUB_TYPES: Readonly<Record<string, SubType>> = {
  message: 'MESSAGE',
  thought: 'THINK',
  call: 'TOOL_CALL',
  result: 'TOOL_RESULT',
};

/** `~` means that a text contains another, ignoring case. */
type SearchOperator = '~' | '=' | '>' | '>=' | '<' | '<=';

/** Condition of a query. */
export interface SearchTerm {
  /** Undefined for a text of the block. */
  readonly field?: SearchField;
  /** Key of the metadata, or name of the score. */
  readonly key?: string;
  readonly operator: SearchOperator;
  readonly value: string | number;
  readonly isNegated: boolean;
  /** Position in the text of the query, in UTF-16 code units from 0. */
  readonly position: number;
}

/** Parsed query: a trace or block must match all of its terms. */
export interface SearchQuery {
  readonly terms: readonly SearchTerm[];
}

/** Part of a text that is not a query. */
export interface SearchProblem {
  /** Position in the text, in UTF-16 code units from 0. */
  readonly position: number;
  readonly expected: string;
  readonly got: string;
  /** Advice, such as an example. */
  readonly advice: string;
}

export const isSearchProblem = (parsed: SearchQuery | SearchProblem): parsed is SearchProblem => 'position' in parsed;

/** A term without its meaning: `-tool:=bash`, `"a text"`. */
interface TermText {
  readonly position: number;
  readonly isNegated: boolean;
  /** Undefined for a text. */
  readonly name: string | undefined;
  readonly operator: string;
  readonly value: string;
  readonly valuePosition: number;
  readonly isQuoted: boolean;
}

const TERM = /(-(?=\S)|NOT\s+)?(?:([A-Za-z_][^\s":]*):(>=|<=|>|<|=)?)?("(?:[^"\\]|\\.)*"|[^\s"]*)/sy;

const quote = (text: string): string => JSON.stringify(truncate(text, 60).toWellFormed());

/**
 * Parses a query: texts and quoted phrases, and fields such as `tool:bash`, `reward:>0.5`, `meta.level:hard` and
 * `after:7d`. `-` or `NOT` before a term negates it. `:` means that a text contains the value, ignoring case; `:=` that it
 * equals the value.
 *
 * @param now time that ages such as `7d` refer to, in milliseconds since 1970.
 * @returns the query, or the first problem of the text.
 */
export function parseSearch(text: string, now: number = Date.now()): SearchQuery | SearchProblem {
  const terms: SearchTerm[] = [];
  const end = text.trimEnd().length;
  for (let at = 0; ; ) {
    while (at < end && text.charAt(at).trim() === '') at++;
    if (at >= end) return { terms };
    const token = readTerm(text, at);
    const parsed = 'expected' in token.term ? token.term : toTerms(token.term, now);
    if ('expected' in parsed) return parsed;
    terms.push(...parsed);
    at = token.end;
  }
}

function readTerm(text: string, position: number): { readonly term: TermText | SearchProblem; readonly end: number } {
  TERM.lastIndex = position;
  const match = TERM.exec(text);
  const [, not = '', name, operator = '', value = ''] = match ?? [];
  const end = TERM.lastIndex;
  if (value === '' && text.charAt(end) === '"') {
    const problem = { position: end, expected: 'a closing quote', got: quote(text.slice(end)) };
    return { term: { ...problem, advice: String.raw`end the phrase with ", and write \" for a quote inside` }, end };
  }
  const isQuoted = value.startsWith('"');
  const term = {
    position,
    isNegated: not !== '',
    name,
    operator,
    value: isQuoted ? value.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : value,
    valuePosition: end - value.length,
    isQuoted,
  };
  return { term, end };
}

type ParsedTerms = readonly SearchTerm[] | SearchProblem;

function toTerms(term: TermText, now: number): ParsedTerms {
  if (term.name === undefined) return toTextTerms(term);
  const { name, position, value, valuePosition } = term;
  const found = findField(name);
  if (found === undefined) return unknownField(term, name);
  if (found.key === '') {
    const expected = `a key after ${found.field}.`;
    return { position, expected, got: quote(`${name}:`), advice: `for example ${exampleOf(found.field)}` };
  }
  if (value === '') {
    const expected = `a value after ${name}:${term.operator}`;
    return { position: valuePosition, expected, got: 'nothing', advice: `for example ${exampleOf(found.field)}` };
  }
  return toFieldTerms(term, found, now);
}

function toTextTerms({ position, value, isNegated, isQuoted }: TermText): ParsedTerms {
  const got = quote(value);
  if (value === '' && isQuoted) {
    return { position, expected: 'a text', got, advice: 'write a text between the quotes' };
  }
  if (!isQuoted && value === 'AND') return [];
  if (!isQuoted && (value === 'NOT' || value === '')) {
    return { position, expected: 'a term after NOT', got: 'nothing', advice: 'for example NOT tool:bash' };
  }
  if (!isQuoted && value === 'OR') {
    const advice = 'all terms must match: search for one alternative at a time, or quote the word';
    return { position, expected: 'a term', got, advice };
  }
  const [, name = '', operator = '', wanted = ''] = /^(\w[\w.]*?)([><=]=?)(.+)$/.exec(value) ?? [];
  if (!isQuoted && name !== '' && findField(name)) {
    const advice = `write ${name}:${operator === '==' ? '=' : operator}${wanted}, or quote the text`;
    return { position, expected: 'a colon after the name of a field', got, advice };
  }
  return [{ operator: '~', value, isNegated, position }];
}

interface FoundField {
  readonly field: SearchField;
  readonly key?: string;
}

/** Finds a field by its name or alias; the key may be empty. */
function findField(name: string): FoundField | undefined {
  const dot = name.indexOf('.');
  const base = dot < 0 ? name : name.slice(0, dot);
  const field = ALIASES.get(base) ?? FIELD_NAMES.find((each) => each === base);
  if (field === undefined) return undefined;
  const { hasKey } = definitionOf(field);
  if (dot < 0) return hasKey ? { field, key: '' } : { field };
  return hasKey || field === 'score' ? { field, key: name.slice(dot + 1) } : undefined;
}

function unknownField({ position }: TermText, name: string): SearchProblem {
  const meant = nearestName(name, FIELD_NAMES);
  const advice = `${meant === undefined ? '' : `write ${meant}:, or `}quote a text that has a colon`;
  const expected = `one of the fields ${FIELD_NAMES.join(', ')}`;
  return { position, expected, got: quote(`${name}:`), advice };
}

const EXAMPLES: Readonly<Partial<Record<SearchField, string>>> = {
  error: 'error:true or error:timeout',
  reward: 'reward:>0.5',
  meta: 'meta.level:hard',
  score: 'score.correctness:>=0.5',
  after: 'after:2026-01-31 or after:7d',
  before: 'before:2026-01-31T12:00 or before:12h',
};

function exampleOf(field: SearchField): string {
  const { kind, choices = [] } = definitionOf(field);
  return EXAMPLES[field] ?? `${field}:${kind === 'number' ? '>3' : (choices[0] ?? 'abc')}`;
}

function toFieldTerms(term: TermText, { field, key }: FoundField, now: number): ParsedTerms {
  const { value, isNegated, isQuoted, position } = term;
  const { kind } = definitionOf(field);
  const made = (operator: SearchOperator, wanted: string | number): readonly SearchTerm[] => [
    { field, ...(key !== undefined && { key }), operator, value: wanted, isNegated, position },
  ];
  // The pattern of a term has only these operators.
  const operator = (term.operator || '~') as SearchOperator;
  const invalid = (expected: string): SearchProblem => ({
    position: term.valuePosition - term.operator.length,
    expected,
    got: quote(term.operator + value),
    advice: `for example ${exampleOf(field)}`,
  });
  if (field === 'error') return toErrorTerms(term, invalid);
  if (field === 'score') return toScoreTerms(term, made, key, invalid);
  if (kind === 'any') return made(operator, value);
  if (kind === 'number') {
    const number = parseNumber(value);
    return number === undefined || isQuoted ? invalid('a number') : made(operator === '~' ? '=' : operator, number);
  }
  if (operator !== '~' && operator !== '=') return invalid(`a value without ${operator}`);
  if (kind === 'time') {
    const time = operator === '=' ? undefined : parseTime(value, now);
    return time === undefined ? invalid('a date, a time in UTC or an age') : made(field === 'after' ? '>=' : '<', time);
  }
  if (kind === 'text') return made(operator, value);
  const { choices = [] } = definitionOf(field);
  const choice = choices.find((each) => each === value.toLowerCase());
  if (choice === undefined) return invalid(`one of ${choices.join(', ')}`);
  return made('=', field === 'kind' ? (SUB_TYPES[choice] ?? choice) : choice);
}

/** `error:text` means that the result has failed and contains the text. */
function toErrorTerms(
  { value, operator, isNegated, isQuoted, position }: TermText,
  invalid: (expected: string) => SearchProblem,
): ParsedTerms {
  if (operator !== '') return invalid('true, false or a text');
  const isFlag = !isQuoted && (value === 'true' || value === 'false');
  const failed: SearchTerm = { field: 'error', operator: '=', value: isFlag ? value : 'true', isNegated, position };
  if (isFlag) return [failed];
  if (isNegated) return invalid('true or false after a negation');
  return [failed, { operator: '~', value, isNegated, position }];
}

function toScoreTerms(
  { operator, value }: TermText,
  made: (operator: SearchOperator, value: string | number) => readonly SearchTerm[],
  key: string | undefined,
  invalid: (expected: string) => SearchProblem,
): ParsedTerms {
  if (key === undefined) return operator === '' ? made('=', value) : invalid('the name of a score');
  const number = parseNumber(value);
  const isOrder = operator !== '' && operator !== '=';
  if (isOrder && number === undefined) return invalid('a number');
  // The pattern of a term has only these operators.
  return made((operator || '=') as SearchOperator, number ?? value);
}

const AGES: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses a date, a time (in UTC unless it has a zone) or an age, and returns it as stores write times. */
function parseTime(text: string, now: number): string | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const [, date, time = 'T00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const ms =
    date === undefined ? now - Number(count || Number.NaN) * (AGES[unit] ?? 0) : Date.parse(date + time + zone);
  return Number.isNaN(ms) || ms < 0 ? undefined : new Date(ms).toISOString().replace('Z', '000Z');
}

/** Describes a problem in one line, with its position from 1. */
export const describeSearchProblem = ({ position, expected, got, advice }: SearchProblem): string =>
  `expected ${expected} at character ${position + 1}, got ${got}; ${advice}`;

const isOfBlock = ({ field }: SearchTerm): boolean => field === undefined || SEARCH_FIELDS[field].of === 'block';

/** Returns the terms about traces. */
export const traceTerms = ({ terms }: SearchQuery): readonly SearchTerm[] => terms.filter((term) => !isOfBlock(term));

/** Returns the terms about blocks, without texts. */
export const blockTerms = ({ terms }: SearchQuery): readonly SearchTerm[] =>
  terms.filter((term) => term.field !== undefined && isOfBlock(term));

/** Returns true if a query is about blocks; otherwise its results are traces. */
export const findsBlocks = ({ terms }: SearchQuery): boolean => terms.some(isOfBlock);

/** Returns the texts that a block must contain, or must not contain. */
export const searchTexts = ({ terms }: SearchQuery, isNegated = false): readonly string[] =>
  terms.flatMap((term) => (term.field === undefined && term.isNegated === isNegated ? [String(term.value)] : []));

/** Returns the condition on scores of a term. */
export const scoreConditionOf = ({ key, operator, value }: SearchTerm): ScoreCondition =>
  key === undefined || operator === '~' ? { name: key ?? String(value) } : { name: key, operator, value };

/**
 * Returns true if a trace matches the terms about traces.
 *
 * @param trace at least the fields of the terms.
 * @param scores undefined to ignore the terms about scores.
 */
export const matchesTrace = (terms: readonly SearchTerm[], trace: Partial<Trace>, scores?: readonly Score[]): boolean =>
  terms.every((term) => {
    if (term.field !== 'score') return holds(term, readField(term, trace)) !== term.isNegated;
    return scores === undefined || matchesScore(scores, scoreConditionOf(term)) !== term.isNegated;
  });

function readField({ field = 'name', key }: SearchTerm, trace: Partial<Trace>): unknown {
  if (field === 'task') return [trace.task_key, trace.task_index];
  const name = key === undefined ? (definitionOf(field).reads ?? field) : `metadata.${key}`;
  // The reader of a field uses no other one.
  return traceFieldReader(name)?.(trace as Trace, []);
}

/** Fields of a block that terms compare. */
export interface SearchedBlock extends Pick<BlockSkeleton, 'sub_type' | 'role' | 'is_error'> {
  /** Name of the tool of a call or a result. */
  readonly tool: string | null;
}

/** Returns true if a block matches the terms about blocks; texts are not compared. */
export const matchesBlock = (terms: readonly SearchTerm[], block: SearchedBlock): boolean =>
  terms.every((term) => {
    const { sub_type, role, is_error, tool } = block;
    const isResult = sub_type === 'TOOL_RESULT';
    const failed = isResult ? String(is_error) : null;
    const values = { tool, role, kind: sub_type, error: failed };
    return holds(term, values[term.field as keyof typeof values]) !== term.isNegated;
  });

/**
 * Returns true if the blocks of a trace match the terms about blocks: one of them matches all terms or, if all terms are
 * negated, each of them does. Texts are not compared.
 */
export const matchesBlocks = (terms: readonly SearchTerm[], blocks: readonly SearchedBlock[]): boolean =>
  terms.every(({ isNegated }) => isNegated)
    ? blocks.every((block) => matchesBlock(terms, block))
    : blocks.some((block) => matchesBlock(terms, block));

function holds(term: Pick<SearchTerm, 'operator' | 'value'>, value: unknown): boolean {
  const { operator, value: wanted } = term;
  if (Array.isArray(value)) return value.some((each) => holds(term, each));
  // Numbers are not searched for digits.
  const isEqual = operator === '~' && typeof value === 'number';
  return typeof value !== 'object' && compareField(value, isEqual ? '=' : operator, String(wanted));
}

/** Parts of a message that differ between repetitions of an error: ids, addresses, paths and numbers. */
const VARIABLE_PARTS =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{8,}\b|(?:\/[\w.@+-]+){2,}\/?|\d+(?:[.:]\d+)*/gi;

/** Returns a message without the parts that differ between repetitions of an error, to group errors by it. */
export const errorSignature = (message: string): string =>
  message.replace(VARIABLE_PARTS, (part) => (/^[\d.:]+$/.test(part) ? '#' : '…'));

/** Failed results with the same message, apart from ids, paths and numbers. */
export interface ErrorGroup {
  /** Message of the first hit. */
  readonly message: string;
  readonly hits: readonly SearchHit[];
  readonly traceCount: number;
  readonly tools: readonly string[];
}

/** Groups failed results by message, the most frequent first. Other hits are left out. */
export function groupErrors(hits: readonly SearchHit[]): readonly ErrorGroup[] {
  const groups = groupBy(
    hits.filter(({ error }) => error !== null),
    ({ error }) => errorSignature(error ?? ''),
  );
  const toGroup = (own: readonly SearchHit[]): ErrorGroup => ({
    message: own[0]?.error ?? '',
    hits: own,
    traceCount: new Set(own.map(({ trace_id }) => trace_id)).size,
    tools: [...new Set(own.flatMap(({ tool }) => tool ?? []))],
  });
  return [...groups.values()].map(toGroup).sort((one, other) => other.hits.length - one.hits.length);
}
