import {
  checkValue,
  errorMessage,
  isExactNumber,
  isRecord,
  JsonSyntaxError,
  parseJson,
  pointerSegment,
  type SchemaIssue,
  type SchemaResolver,
} from '../../../../core/index.ts';
import type { JSONObject, JSONValue } from '../../../../protocol/index.ts';
import type { InputSchema } from '../../environments/input-schema.ts';
import {
  branchDraft,
  type FormDraft,
  type ListDraft,
  type ObjectDraft,
  propertyDraft,
  type UnionDraft,
} from './draft.ts';
import { type FormField, type FormFieldOf, toFormField } from './field.ts';

/** Invalid value; `path` is its JSON pointer within the input. */
export type Problem = Pick<SchemaIssue, 'path' | 'message'>;

/** Value of a form as far as it can be parsed, and the problems that prevent sending it. */
interface FormReading {
  readonly value: JSONValue | undefined;
  readonly problems: readonly Problem[];
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Parses the form of a tool's input. */
export function parseForm(input: InputSchema, draft: FormDraft): FormReading {
  const { schema, resolver } = input;
  return validated(input, read(toFormField(schema, resolver), draft, { resolver, depth: 0, path: '' }));
}

/** Parses a tool's input that was entered as JSON. */
export function parseFormJson(input: InputSchema, text: string): FormReading {
  const reading = parse(text, '');
  if (reading.value !== undefined && !isRecord(reading.value))
    return { value: reading.value, problems: [{ path: '', message: 'must be a JSON object, such as {}' }] };
  return validated(input, reading);
}

/** Validates what could be parsed; the rest has a problem already. */
function validated({ schema, resolver }: InputSchema, { value, problems }: FormReading): FormReading {
  if (value === undefined) return { value, problems };
  const reported = new Set(problems.map(({ path }) => path));
  const found = checkValue(schema, value, { resolver }).filter(({ path }) => !reported.has(path));
  return { value, problems: [...problems, ...found.map(({ path, message }) => ({ path, message }))] };
}

interface DraftPosition {
  readonly resolver: SchemaResolver;
  readonly depth: number;
  readonly path: string;
}

const childPosition = (at: DraftPosition, key: string | number): DraftPosition => ({
  ...at,
  depth: at.depth + 1,
  path: at.path + pointerSegment(key),
});

function read(field: FormField, draft: FormDraft, at: DraftPosition): FormReading {
  if (typeof draft === 'string') return readTyped(field, draft, at.path);
  if ('parts' in draft && field.kind === 'object') return readObject(field, draft, at);
  if ('items' in draft && field.kind === 'list') return readList(field, draft, at);
  if ('branch' in draft && field.kind === 'union') return readBranch(field, draft, at);
  return invalid(at.path, 'does not match the form');
}

const invalid = (path: string, message: string): FormReading => ({ value: undefined, problems: [{ path, message }] });

const valid = (value: JSONValue): FormReading => ({ value, problems: [] });

const MISSING_TEXT = 'must be filled in; to send an empty text, type a character and delete it';

/** Returns true for a text without a default that the user has not touched, as opposed to one that was emptied. */
const isMissingText = ({ kind, schema }: FormField, isTouched: boolean): boolean =>
  kind === 'text' && !isTouched && typeof schema.default !== 'string';

function readTyped(field: FormField, text: string, path: string): FormReading {
  switch (field.kind) {
    case 'text':
      return valid(text);
    case 'number':
      return readNumber(field, text.trim(), path);
    case 'choice': {
      const option = text === '' ? undefined : field.options[Number(text)];
      return option === undefined ? invalid(path, 'must be selected') : valid(option);
    }
    default:
      return parse(text, path);
  }
}

function readNumber({ isWhole }: FormFieldOf<'number'>, text: string, path: string): FormReading {
  const value = Number(text);
  if (text === '') return invalid(path, 'must be a number');
  if (!NUMBER.test(text) || !Number.isFinite(value)) return invalid(path, `must be a number, not '${text}'`);
  if (isWhole && !Number.isInteger(value)) return invalid(path, `must be a whole number, not ${text}`);
  if (!isExactNumber(text)) return invalid(path, `cannot be represented exactly; the browser would send ${value}`);
  // Not every JSON parser preserves negative zero.
  return valid(value === 0 ? 0 : value);
}

function parse(text: string, path: string): FormReading {
  if (text.trim() === '') return invalid(path, 'must be a JSON value, such as {}');
  try {
    const { value, problems } = parseJson(text);
    const lost = problems.filter(({ kind }) => kind === 'number');
    return {
      // `parseJson` returns JSON.
      value: value as JSONValue,
      problems: lost.map(({ pointer, message }) => ({ path: path + pointer, message })),
    };
  } catch (error) {
    const reason = error instanceof JsonSyntaxError ? (error.cause ?? error) : error;
    return invalid(path, `is not JSON: ${errorMessage(reason)}`);
  }
}

function readObject({ properties }: FormFieldOf<'object'>, draft: ObjectDraft, at: DraftPosition): FormReading {
  const readings = properties.flatMap((property) => {
    const { field, isGiven, isTouched, draft: own } = propertyDraft(draft, property, at.resolver, at.depth);
    if (!isGiven) return [];
    const position = childPosition(at, property.name);
    const reading = isMissingText(field, isTouched) ? invalid(position.path, MISSING_TEXT) : read(field, own, position);
    return [[property.name, reading] as const];
  });
  const known = readings.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value] as const]));
  const value: JSONObject = Object.fromEntries(known);
  return { value, problems: readings.flatMap(([, { problems }]) => problems) };
}

function readList({ item }: FormFieldOf<'list'>, { items }: ListDraft, at: DraftPosition): FormReading {
  const field = toFormField(item, at.resolver, at.depth + 1);
  const readings = items.map((draft, index) => read(field, draft, childPosition(at, index)));
  // Keeps the indexes of the other entries.
  const value = readings.map((reading) => reading.value ?? null);
  return { value, problems: readings.flatMap(({ problems }) => problems) };
}

function readBranch(field: FormFieldOf<'union'>, draft: UnionDraft, at: DraftPosition): FormReading {
  const branch = branchDraft(field, draft, at.resolver, at.depth);
  if (isMissingText(branch.field, branch.isTouched)) return invalid(at.path, MISSING_TEXT);
  return read(branch.field, branch.draft, { ...at, depth: at.depth + 1 });
}
