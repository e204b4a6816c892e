import { plural } from '../../core/index.ts';
import { type ResolvedSchema, strictestLowerBound, strictestUpperBound, texts } from './shape.ts';
import type { ValueGenerator } from './walk.ts';

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
