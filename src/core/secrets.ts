import { decode, type Escapes, type Span, sourceSpans, type Units, unitsOf } from './decode-text.ts';
import { isRecord } from './json.ts';
import { formsOf, LEAST_SECRET_LENGTH, SecretMatcher } from './secret-matcher.ts';

/** Replaces each secret in texts and JSON values. */
export const SECRET_MARKER = '[secret]';

export interface RedactorOptions {
  /** Also masks the start of a secret if an ellipsis follows, since messages cut what they quote. */
  readonly cut?: boolean;
}

/** Masks the secrets that it was created with. Create it once per session and reuse it. */
export interface Redactor {
  /** Names of the secrets that are not masked since they are shorter than 6 characters. */
  readonly tooShort: readonly string[];
  /** Replaces each secret in a text by `[secret]`, however it is written. Touching matches become one. */
  text(text: string): string;
  /** Returns the spans of all secrets in a text, in order and without overlaps. */
  find(text: string): readonly Span[];
  /**
   * Replacer for `JSON.stringify` that masks strings, keys, and numbers whose digits contain a secret. Keys that become
   * equal are numbered. Undefined if there is nothing to mask.
   */
  readonly replacer: ((key: string, value: unknown) => unknown) | undefined;
}

/**
 * Creates a redactor. It finds each secret as it is, in JSON (with any escapes, and JSON within JSON to a depth of 3), in
 * URLs and forms, in HTML, in base64 and base64url (also inside of a longer base64 text), in hexadecimal digits, and in
 * base64 or hexadecimal digits that are themselves in JSON, a URL or HTML.
 *
 * Secrets of fewer than 6 UTF-16 code units occur by chance: they are not masked, and `tooShort` names them. The cost is
 * linear in the text and nearly independent of the number of secrets. If the search exceeds its budget, because a text
 * is full of partial matches, the rest of the text is masked.
 *
 * @param secrets values by name, or a list of values.
 */
export function createRedactor(
  secrets: Readonly<Record<string, string>> | readonly string[],
  { cut = false }: RedactorOptions = {},
): Redactor {
  const entries = Object.entries(secrets);
  const values = new Set(entries.map(([, value]) => value).filter(({ length }) => length >= LEAST_SECRET_LENGTH));
  const tooShort = entries.filter(([, { length }]) => length < LEAST_SECRET_LENGTH).map(([name]) => name);
  if (values.size === 0) return { tooShort, text: (text) => text, find: () => [], replacer: undefined };
  const matcher = rebuiltIfLarge(values, cut);
  const find = (text: string): readonly Span[] =>
    text.length < LEAST_SECRET_LENGTH ? [] : spansIn(unitsOf(text), matcher());
  const text = (plain: string) => masked(plain, find(plain));
  return { tooShort, text, find, replacer: replacerOf(text) };
}

/** Returns the text with a marker in place of each span. */
export function masked(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let rest = 0;
  for (const [from, to] of spans) {
    parts.push(text.slice(rest, from), SECRET_MARKER);
    rest = to;
  }
  return parts.join('') + text.slice(rest);
}

/** Above this total length of the secrets, the compiled matcher is held weakly, so it can be garbage collected. */
const LARGE = 10_000;

function rebuiltIfLarge(values: ReadonlySet<string>, cut: boolean): () => SecretMatcher {
  const build = () => new SecretMatcher([...values].flatMap(formsOf), SECRET_MARKER, cut);
  const size = [...values].reduce((sum, { length }) => sum + length, 0);
  let strong: SecretMatcher | undefined;
  let weak: WeakRef<SecretMatcher> | undefined;
  return () => {
    const matcher = strong ?? weak?.deref() ?? build();
    if (size <= LARGE) strong = matcher;
    else if (weak?.deref() !== matcher) weak = new WeakRef(matcher);
    return matcher;
  };
}

interface Layer {
  readonly escapes: Escapes;
  readonly within: readonly Layer[];
}

const json = (within: readonly Layer[] = []): Layer => ({ escapes: 'json', within });
const percent = (within: readonly Layer[] = []): Layer => ({ escapes: 'percent', within });
const html = (within: readonly Layer[] = []): Layer => ({ escapes: 'html', within });

/** Order in which escapes are undone: JSON to a depth of 3, and the combinations that occur in practice. */
const LAYERS = [json([json([json()]), percent(), html()]), percent([percent(), json()]), html([json()])];

/** Searches a text as it is, and with its escapes undone. */
function spansIn(units: Units, matcher: SecretMatcher, layers: readonly Layer[] = LAYERS): Span[] {
  const found = [...matcher.find(units)];
  for (const { escapes, within } of layers) {
    const decoded = decode(units, escapes);
    if (!decoded) continue;
    const spans = spansIn(decoded, matcher, within);
    if (spans.length > 0) for (const span of sourceSpans(units, escapes, spans)) found.push(span);
  }
  return merged(found);
}

/** Sorts spans, and joins those that overlap or touch. */
function merged(spans: Span[]): Span[] {
  if (spans.length < 2) return spans;
  const joined: [number, number][] = [];
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function replacerOf(text: (plain: string) => string): NonNullable<Redactor['replacer']> {
  return (_key, value) => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return text(String(value)) === String(value) ? value : SECRET_MARKER;
    if (!isRecord(value)) return value;
    const keys = Object.keys(value);
    const shown = keys.map(text);
    if (shown.every((key, index) => key === keys[index])) return value;
    const taken = new Set(keys);
    const free = (key: string, number = 1): string => {
      const numbered = number === 1 ? key : `${key} ${number}`;
      return taken.has(numbered) ? free(key, number + 1) : numbered;
    };
    return Object.fromEntries(
      keys.map((key, index) => {
        const name = shown[index] === key ? key : free(shown[index] ?? key);
        taken.add(name);
        return [name, (value as Record<string, unknown>)[key]];
      }),
    );
  };
}
