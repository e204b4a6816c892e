import { plural } from '../../core/index.ts';
import { type ResolvedSchema, strictestLowerBound, strictestUpperBound, texts, type ValueGenerator } from './shape.ts';

/** The numbers that a shape allows: from `lowest` to `highest`, and only multiples of `step`, if there is one. */
export interface NumericBounds {
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly step: number | undefined;
}

/** A number with its description. */
export type LabelledNumber = readonly [number, string];

function numberRange(shape: ResolvedSchema, isInteger: boolean): NumericBounds {
  const { minimum, exclusiveMin, maximum, exclusiveMax } = boundsOf(shape);
  const step = stepOf(shape, isInteger);
  const highest = Math.min(maximum ?? Infinity, exclusiveMax ?? Infinity);
  const lowest = Math.max(minimum ?? -Infinity, exclusiveMin ?? -Infinity);
  // Without a step, any number close to an exclusive bound will do.
  const distance = Math.min(1, (highest - lowest) / 2);
  return {
    step,
    lowest: extreme(Math.max, [
      ifAny(minimum, (bound) => (step ? times(step, Math.ceil(bound / step)) : bound)),
      ifAny(exclusiveMin, (bound) => (step ? times(step, Math.floor(bound / step) + 1) : bound + distance)),
    ]),
    highest: extreme(Math.min, [
      ifAny(maximum, (bound) => (step ? times(step, Math.floor(bound / step)) : bound)),
      ifAny(exclusiveMax, (bound) => (step ? times(step, Math.ceil(bound / step) - 1) : bound - distance)),
    ]),
  };
}

/** Returns numbers of a shape, the closest to 0 first. */
export function generateNumbers(shape: ResolvedSchema, isInteger: boolean): number[] {
  const { lowest, highest } = numberRange(shape, isInteger);
  const nearest = Math.max(lowest ?? -Infinity, Math.min(highest ?? Infinity, 0));
  return [nearest, lowest, highest].filter((value) => value !== undefined);
}

/** Yields different numbers. */
export function* variedNumbers(shape: ResolvedSchema, isInteger: boolean): Generator<number> {
  const { lowest, highest, step = 1 } = numberRange(shape, isInteger);
  const first = lowest ?? (highest === undefined ? 0 : highest - 1_000 * step);
  for (let index = 0; index <= 1_000; index++) yield times(step, first / step + index);
}

/** Returns the numbers at the ends of the range. */
export function boundaryNumbers(shape: ResolvedSchema, isInteger: boolean): LabelledNumber[] {
  const { minimum, maximum } = boundsOf(shape);
  const { lowest, highest } = numberRange(shape, isInteger);
  return describedNumbers([
    [lowest, lowest === minimum ? `at its minimum ${lowest}` : `${lowest}, close to its lower bound`],
    [highest, highest === maximum ? `at its maximum ${highest}` : `${highest}, close to its upper bound`],
  ]);
}

/** Returns numbers outside the range, or between its steps. */
export function outOfRangeNumbers(shape: ResolvedSchema, isInteger: boolean): LabelledNumber[] {
  const { minimum, exclusiveMin, maximum, exclusiveMax } = boundsOf(shape);
  const { lowest, highest, step } = numberRange(shape, isInteger);
  const less = ifAny(minimum, (bound) => (step ? times(step, Math.ceil(bound / step) - 1) : bound - 1));
  const more = ifAny(maximum, (bound) => (step ? times(step, Math.floor(bound / step) + 1) : bound + 1));
  const atOver = ifAny(exclusiveMin, (bound) => (step ? times(step, Math.floor(bound / step)) : bound));
  const atUnder = ifAny(exclusiveMax, (bound) => (step ? times(step, Math.ceil(bound / step)) : bound));
  const start = lowest ?? (highest === undefined || step === undefined ? 0 : highest - step);
  const between = step === undefined || (isInteger && step === 1) ? undefined : start + (isInteger ? 1 : step / 2);
  return describedNumbers([
    [less, `${less}, below its minimum ${minimum}`],
    [more, `${more}, above its maximum ${maximum}`],
    [atOver, `${atOver}, where it must be above ${exclusiveMin}`],
    [atUnder, `${atUnder}, where it must be below ${exclusiveMax}`],
    [between, `${between}, no multiple of ${step}`],
    [isInteger ? start + 0.5 : undefined, `${start + 0.5}, no integer`],
  ]);
}

function boundsOf(shape: ResolvedSchema) {
  return {
    minimum: strictestLowerBound(shape, 'minimum'),
    exclusiveMin: strictestLowerBound(shape, 'exclusiveMinimum'),
    maximum: strictestUpperBound(shape, 'maximum'),
    exclusiveMax: strictestUpperBound(shape, 'exclusiveMaximum'),
  };
}

function stepOf(shape: ResolvedSchema, isInteger: boolean): number | undefined {
  const step = strictestLowerBound(shape, 'multipleOf');
  if (!isInteger || step === undefined) return step ?? (isInteger ? 1 : undefined);
  return Number.isInteger(1 / step) ? 1 : step;
}

/** Multiplies without the rounding error of 3 * 0.1. */
const times = (step: number, count: number) =>
  Number.isInteger(step) ? step * count : Number((step * count).toPrecision(12));

const ifAny = (bound: number | undefined, result: (bound: number) => number) =>
  bound === undefined ? undefined : result(bound);

function extreme(choose: (...values: number[]) => number, values: readonly (number | undefined)[]): number | undefined {
  const found = values.filter((value) => value !== undefined);
  return found.length === 0 ? undefined : choose(...found);
}

const describedNumbers = (pairs: readonly (readonly [number | undefined, string])[]): LabelledNumber[] =>
  // A rounded number may be on the other side of the bound for other languages.
  pairs.filter((pair): pair is LabelledNumber => pair[0] !== undefined && Math.abs(pair[0]) <= Number.MAX_SAFE_INTEGER);

/** Maximum length of generated strings. */
const MAX_LENGTH = 50_000;

const BY_FORMAT: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

/** Texts that match common patterns. */
const COMMON = ['abc', 'Abc', 'ABC', '123', 'a1', 'A1', 'a-b', 'a_b', 'a.b', '1.0.0', '12:00', '/a', '#a0b1c2', '$1'];

/** Yields strings of a shape, simplest first; with a pattern or format they are guesses. */
export function* generateStrings(
  shape: ResolvedSchema,
  { style, source }: Pick<ValueGenerator, 'style' | 'source'>,
): Generator<string> {
  const min = strictestLowerBound(shape, 'minLength') ?? 0;
  if (min > MAX_LENGTH) return;
  const formats = texts(shape, 'format').flatMap((format) => BY_FORMAT.get(format) ?? []);
  const patterns = texts(shape, 'pattern');
  yield* formats;
  if (patterns.length > 0) {
    for (const character of ['a', 'A', '0']) yield character.repeat(Math.max(min, 1));
    yield* [...COMMON, ...BY_FORMAT.values(), ''];
    for (const pattern of patterns) yield* source.matching(pattern);
  } else if (formats.length === 0) {
    const max = strictestUpperBound(shape, 'maxLength') ?? Infinity;
    const plain = ['a'.repeat(min), resized('text', Math.max(min, Math.min(4, max)), 't')];
    yield* style === 'full' ? plain.reverse() : plain;
  }
}

/** Yields different strings. */
export function* variedStrings(shape: ResolvedSchema, generator: ValueGenerator): Generator<string> {
  const length = strictestLowerBound(shape, 'minLength') ?? 0;
  yield* generateStrings(shape, generator);
  for (let index = 0; index < 1_000; index++) yield index.toString(36).padStart(length, 'a');
}

/** Yields the shortest and the longest string. */
export function* lengths(shape: ResolvedSchema, value: string): Generator<readonly [string, string]> {
  const min = strictestLowerBound(shape, 'minLength') ?? 0;
  const max = strictestUpperBound(shape, 'maxLength');
  if (min > 0) yield [resized(value, min), `with ${plural(min, 'character')}, the fewest allowed`];
  if (max !== undefined && max <= MAX_LENGTH)
    yield [resized(value, max), `with ${plural(max, 'character')}, the most allowed`];
}

/** Yields a string that is too short, one that is too long, and some that do not match a pattern. */
export function* brokenStrings(shape: ResolvedSchema, value: string): Generator<readonly [string, string]> {
  const min = strictestLowerBound(shape, 'minLength') ?? 0;
  const max = strictestUpperBound(shape, 'maxLength');
  if (min > 0) yield [resized(value, min - 1), `with ${plural(min - 1, 'character')}, fewer than ${min}`];
  if (max !== undefined && max < MAX_LENGTH) {
    yield [resized(value, max + 1), `with ${plural(max + 1, 'character')}, more than ${max}`];
  }
  for (const pattern of texts(shape, 'pattern')) {
    const head = resized(value, [...value].length - 1);
    const broken = ['!', '\u0001', 'a', '0'].map((character) => head + character);
    for (const each of broken) yield [each, `${JSON.stringify(each)}, which does not match ${pattern}`];
  }
}

/** Truncates a text to a length, or pads it with its last character. */
function resized(text: string, length: number, filler?: string): string {
  const characters = [...text];
  const more = (filler ?? characters.at(-1) ?? 'a').repeat(Math.max(0, length - characters.length));
  return characters.slice(0, Math.max(0, length)).join('') + more;
}
