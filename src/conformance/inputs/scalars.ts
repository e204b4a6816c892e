import { plural } from '../../core/index.ts';
import { type ResolvedSchema, strictestLowerBound, strictestUpperBound, texts, type ValueGenerator } from './shape.ts';

/** The numbers that a shape allows: from `lowest` to `highest`, and if there is a step only its multiples. */
export interface NumberRange {
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly step: number | undefined;
}

/** A number, and what it is in words. */
export type LabelledNumber = readonly [number, string];

export function numberRange(shape: ResolvedSchema, isInteger: boolean): NumberRange {
  const { minimum, over, maximum, under } = boundsOf(shape);
  const step = stepOf(shape, isInteger);
  const highest = Math.min(maximum ?? Infinity, under ?? Infinity);
  const lowest = Math.max(minimum ?? -Infinity, over ?? -Infinity);
  // Without steps, the number beside a bound that is excluded is up to us.
  const distance = Math.min(1, (highest - lowest) / 2);
  return {
    step,
    lowest: extreme(Math.max, [
      ifAny(minimum, (bound) => (step ? times(step, Math.ceil(bound / step)) : bound)),
      ifAny(over, (bound) => (step ? times(step, Math.floor(bound / step) + 1) : bound + distance)),
    ]),
    highest: extreme(Math.min, [
      ifAny(maximum, (bound) => (step ? times(step, Math.floor(bound / step)) : bound)),
      ifAny(under, (bound) => (step ? times(step, Math.ceil(bound / step) - 1) : bound - distance)),
    ]),
  };
}

/** Simplest first: the one next to 0. */
export function generateNumbers(shape: ResolvedSchema, isInteger: boolean): number[] {
  const { lowest, highest } = numberRange(shape, isInteger);
  const nearest = Math.max(lowest ?? -Infinity, Math.min(highest ?? Infinity, 0));
  return [nearest, lowest, highest].filter((value) => value !== undefined);
}

/** Different numbers. */
export function* variedNumbers(shape: ResolvedSchema, isInteger: boolean): Generator<number> {
  const { lowest, highest, step = 1 } = numberRange(shape, isInteger);
  const first = lowest ?? (highest === undefined ? 0 : highest - 1_000 * step);
  for (let index = 0; index <= 1_000; index++) yield times(step, first / step + index);
}

/** The numbers at the ends of the range. */
export function boundaryNumbers(shape: ResolvedSchema, isInteger: boolean): LabelledNumber[] {
  const { minimum, maximum } = boundsOf(shape);
  const { lowest, highest } = numberRange(shape, isInteger);
  return worded([
    [lowest, lowest === minimum ? `at its minimum ${lowest}` : `${lowest}, close to its lower bound`],
    [highest, highest === maximum ? `at its maximum ${highest}` : `${highest}, close to its upper bound`],
  ]);
}

/** Numbers outside of it, or between its steps. */
export function outOfRangeNumbers(shape: ResolvedSchema, isInteger: boolean): LabelledNumber[] {
  const { minimum, over, maximum, under } = boundsOf(shape);
  const { lowest, highest, step } = numberRange(shape, isInteger);
  const less = ifAny(minimum, (bound) => (step ? times(step, Math.ceil(bound / step) - 1) : bound - 1));
  const more = ifAny(maximum, (bound) => (step ? times(step, Math.floor(bound / step) + 1) : bound + 1));
  const atOver = ifAny(over, (bound) => (step ? times(step, Math.floor(bound / step)) : bound));
  const atUnder = ifAny(under, (bound) => (step ? times(step, Math.ceil(bound / step)) : bound));
  const start = lowest ?? (highest === undefined || step === undefined ? 0 : highest - step);
  const between = step === undefined || (isInteger && step === 1) ? undefined : start + (isInteger ? 1 : step / 2);
  return worded([
    [less, `${less}, below its minimum ${minimum}`],
    [more, `${more}, above its maximum ${maximum}`],
    [atOver, `${atOver}, where it must be above ${over}`],
    [atUnder, `${atUnder}, where it must be below ${under}`],
    [between, `${between}, no multiple of ${step}`],
    [isInteger ? start + 0.5 : undefined, `${start + 0.5}, no integer`],
  ]);
}

function boundsOf(shape: ResolvedSchema) {
  return {
    minimum: strictestLowerBound(shape, 'minimum'),
    over: strictestLowerBound(shape, 'exclusiveMinimum'),
    maximum: strictestUpperBound(shape, 'maximum'),
    under: strictestUpperBound(shape, 'exclusiveMaximum'),
  };
}

function stepOf(shape: ResolvedSchema, isInteger: boolean): number | undefined {
  const step = strictestLowerBound(shape, 'multipleOf');
  if (!isInteger || step === undefined) return step ?? (isInteger ? 1 : undefined);
  return Number.isInteger(1 / step) ? 1 : step;
}

/** Without the error that 3 * 0.1 has. */
const times = (step: number, count: number) =>
  Number.isInteger(step) ? step * count : Number((step * count).toPrecision(12));

const ifAny = (bound: number | undefined, result: (bound: number) => number) =>
  bound === undefined ? undefined : result(bound);

function extreme(choose: (...values: number[]) => number, values: readonly (number | undefined)[]): number | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === 0 ? undefined : choose(...found);
}

const worded = (pairs: readonly (readonly [number | undefined, string])[]): LabelledNumber[] =>
  // What JavaScript rounds may be on the other side of the bound for others.
  pairs.filter((pair): pair is LabelledNumber => pair[0] !== undefined && Math.abs(pair[0]) <= Number.MAX_SAFE_INTEGER);

/** Longer strings, and lists, are not made. */
const MAX_LENGTH = 50_000;

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2020-01-31',
  'date-time': '2020-01-31T12:00:00Z',
  'iso-date-time': '2020-01-31T12:00:00Z',
  time: '12:00:00Z',
  'iso-time': '12:00:00Z',
  duration: 'P1D',
  email: 'a@example.com',
  'idn-email': 'a@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  'uri-template': '/{id}',
  iri: 'https://example.com/',
  'iri-reference': '/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/a',
  'relative-json-pointer': '0',
  regex: 'a',
  byte: 'YQ==',
};

/** What patterns of all kinds let through. */
const COMMON = ['abc', 'Abc', 'ABC', '123', 'a1', 'A1', 'a-b', 'a_b', 'a.b', '1.0.0', '12:00', '/a', '#a0b1c2', '$1'];

/** Simplest first; where a pattern or format stands, these are guesses. */
export function* generateStrings(
  shape: ResolvedSchema,
  { style, source }: Pick<ValueGenerator, 'style' | 'source'>,
): Generator<string> {
  const min = strictestLowerBound(shape, 'minLength') ?? 0;
  if (min > MAX_LENGTH) return;
  const formats = texts(shape, 'format').flatMap((format) => BY_FORMAT[format] ?? []);
  const patterns = texts(shape, 'pattern');
  yield* formats;
  if (patterns.length > 0) {
    for (const character of ['a', 'A', '0']) yield character.repeat(Math.max(min, 1));
    yield* [...COMMON, ...Object.values(BY_FORMAT), ''];
    for (const pattern of patterns) yield* source.matching(pattern);
  } else if (formats.length === 0) {
    const max = strictestUpperBound(shape, 'maxLength') ?? Infinity;
    const plain = ['a'.repeat(min), stretched('text', Math.max(min, Math.min(4, max)), 't')];
    yield* style === 'full' ? plain.reverse() : plain;
  }
}

/** Different strings. */
export function* variedStrings(shape: ResolvedSchema, walk: ValueGenerator): Generator<string> {
  const length = strictestLowerBound(shape, 'minLength') ?? 0;
  yield* generateStrings(shape, walk);
  for (let index = 0; index < 1_000; index++) yield index.toString(36).padStart(length, 'a');
}

/** The shortest and the longest. */
export function* lengths(shape: ResolvedSchema, value: string): Generator<readonly [string, string]> {
  const [min, max] = [strictestLowerBound(shape, 'minLength') ?? 0, strictestUpperBound(shape, 'maxLength')];
  if (min > 0) yield [stretched(value, min), `with ${plural(min, 'character')}, the fewest allowed`];
  if (max !== undefined && max <= MAX_LENGTH)
    yield [stretched(value, max), `with ${plural(max, 'character')}, the most allowed`];
}

/** One character too few and one too many, and one that breaks a pattern. */
export function* brokenStrings(shape: ResolvedSchema, value: string): Generator<readonly [string, string]> {
  const [min, max] = [strictestLowerBound(shape, 'minLength') ?? 0, strictestUpperBound(shape, 'maxLength')];
  if (min > 0) yield [stretched(value, min - 1), `with ${plural(min - 1, 'character')}, fewer than ${min}`];
  if (max !== undefined && max < MAX_LENGTH) {
    yield [stretched(value, max + 1), `with ${plural(max + 1, 'character')}, more than ${max}`];
  }
  for (const pattern of texts(shape, 'pattern')) {
    const head = stretched(value, [...value].length - 1);
    const broken = ['!', '\u0001', 'a', '0'].map((character) => head + character);
    for (const each of broken) yield [each, `${JSON.stringify(each)}, which does not match ${pattern}`];
  }
}

/** So many characters of a text, which is cut or goes on as it ends. */
function stretched(text: string, length: number, filler?: string): string {
  const characters = [...text];
  const more = (filler ?? characters.at(-1) ?? 'a').repeat(Math.max(0, length - characters.length));
  return characters.slice(0, Math.max(0, length)).join('') + more;
}
