import {
  isSearchProblem,
  parseSearch,
  SEARCH_FIELDS,
  type SearchField,
  type SearchProblem,
} from '../../../trace/model/index.ts';

/** Parameters of older addresses, and the fields that they became. */
const FORMER_PARAMS = [
  ['name', 'tool:='],
  ['run', 'run:='],
  ['environment', 'env:='],
  ['group_id', 'group:='],
  ['trace_id', 'trace:='],
] as const;
const FORMER_KINDS = [
  ['MESSAGE', 'kind:message'],
  ['THINK', 'kind:thought'],
  ['TOOL_CALL', 'kind:call'],
  ['TOOL_RESULT', 'kind:result'],
] as const;

/** Parameters of the address that become terms of the query. */
export const FILTER_PARAMS = [...FORMER_PARAMS.map(([name]) => name), 'sub_type', 'has_error'] as const;

/** Quotes a value of a query if it needs quotes. */
export const quoteValue = (value: string): string =>
  /^[^\s"\\><=][^\s"]*$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Returns the query of an address; filters such as `run` become terms of it. */
export function queryOf(params: URLSearchParams): string {
  const fields = FORMER_PARAMS.flatMap(([name, field]) => {
    const value = params.get(name);
    return value ? [field + quoteValue(value)] : [];
  });
  const kinds = FORMER_KINDS.flatMap(([type, term]) => (params.get('sub_type') === type ? [term] : []));
  const error = params.get('has_error');
  const errors = error === 'true' || error === 'false' ? [`error:${error}`] : [];
  return [params.get('q') ?? '', ...fields, ...kinds, ...errors].filter((part) => part !== '').join(' ');
}

/** Adds a term to a query unless a term has its field already. */
export function withTerm(text: string, field: SearchField, value: string): string {
  const query = parseSearch(text);
  if (!isSearchProblem(query) && query.terms.some((term) => term.field === field)) return text;
  return `${text.trimEnd()} ${field}:${value}`.trimStart();
}

/** Filters of the API for traces. */
export interface QueryFilter {
  /** Part of a name or id. */
  readonly q?: string;
  /** Query without texts. */
  readonly query?: string;
}

/** Splits the text of a filter field into words, which are a part of the name, and a query; undefined if it is not valid. */
export function parseFilter(text: string): QueryFilter | undefined {
  const parsed = parseSearch(text);
  if (isSearchProblem(parsed) || findFilterProblem(text)) return undefined;
  const { terms } = parsed;
  const words = terms.flatMap(({ field, value }) => (field === undefined ? [String(value)] : []));
  const fields = terms.flatMap(({ field, position }, index) =>
    field === undefined ? [] : [text.slice(position, terms[index + 1]?.position).trimEnd()],
  );
  return {
    ...(words.length > 0 && { q: words.join(' ') }),
    ...(fields.length > 0 && { query: fields.join(' ') }),
  };
}

/** Returns what is wrong with the text of a filter field, which finds names but not texts of blocks. */
export function findFilterProblem(text: string): SearchProblem | undefined {
  const parsed = parseSearch(text);
  if (isSearchProblem(parsed)) return parsed;
  for (const { field, position, isNegated, value } of parsed.terms) {
    if (field !== undefined) continue;
    const got = JSON.stringify(value);
    if (isNegated) return { position, expected: 'a field after a negation', got, advice: 'for example -name:draft' };
    // The text of an error follows at the same position.
    if (parsed.terms.some((term) => term.field === 'error' && term.position === position)) {
      return { position, expected: 'error:true', got, advice: 'the Search page finds texts of errors' };
    }
  }
  return undefined;
}

/** Known values of fields, by field. */
export type FieldValues = Readonly<Partial<Record<string, readonly string[]>>>;

export interface Completion {
  /** Text that replaces the word. */
  readonly text: string;
  readonly label: string;
  readonly help: string;
}

interface Completions {
  /** Range of the word that a completion replaces. */
  readonly start: number;
  readonly end: number;
  /** Field whose values are completed; undefined for names of fields. */
  readonly field: string | undefined;
  readonly items: readonly Completion[];
}

const MAX_COMPLETIONS = 12;

/** Completes the word before the caret: names of fields, or known values of a field. */
export function completeQuery(text: string, caret: number, values: FieldValues): Completions {
  const before = text.slice(0, caret);
  // The last word, which may have an open quote.
  const word = /(?:"(?:[^"\\]|\\.)*"?|[^\s"])*$/.exec(before)?.[0] ?? '';
  const sign = word.startsWith('-') ? '-' : '';
  const start = caret - word.length + sign.length;
  const [, name, operator = '', wanted = ''] = /^([\w.]+):(=?)"?([^"]*)$/.exec(word.slice(sign.length)) ?? [];
  if (name === undefined)
    return { start, end: caret, field: undefined, items: fieldsOf(word.slice(sign.length), values) };
  const known = values[name] ?? (Object.hasOwn(SEARCH_FIELDS, name) ? choicesOf(name as SearchField) : []);
  const matching = known.filter((value) => value.toLowerCase().includes(wanted.toLowerCase()) && value !== wanted);
  const items = matching.slice(0, MAX_COMPLETIONS).map((value) => ({
    text: `${name}:${operator}${quoteValue(value)} `,
    label: value,
    help: '',
  }));
  return { start, end: caret, field: name, items };
}

const choicesOf = (field: SearchField): readonly string[] => {
  const definition: { readonly help: string; readonly choices?: readonly string[] } = SEARCH_FIELDS[field];
  return definition.choices ?? [];
};

function fieldsOf(word: string, values: FieldValues): readonly Completion[] {
  const fields = Object.entries(SEARCH_FIELDS).map(([name, field]) => ({
    text: 'hasKey' in field ? `${name}.` : `${name}:`,
    label: 'hasKey' in field ? `${name}.…` : `${name}:`,
    help: field.help,
  }));
  const keys = Object.keys(values)
    .filter((name) => name.includes('.'))
    .map((name) => ({ text: `${name}:`, label: `${name}:`, help: 'Metadata of the trace' }));
  const matching = [...fields, ...(word.includes('.') ? keys : [])].filter(
    ({ text }) => text.startsWith(word.toLowerCase()) && text !== word,
  );
  return word === '' ? fields : matching.slice(0, MAX_COMPLETIONS);
}
