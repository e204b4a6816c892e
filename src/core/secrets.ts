import { decode, type Escapes, sourceSpans, type TextSpan, type Units, unitsOf } from './decode-text.ts';
import { isRecord } from './json.ts';
import { uniqueName } from './names.ts';
import { formsOf, MIN_SECRET_LENGTH, SecretMatcher } from './secret-matcher.ts';
import { decodePercent } from './url.ts';

/** Replaces each secret in texts and JSON values. */
export const SECRET_MARKER = '[secret]';

/** Masks the secrets that it was created with. Create it once per session and reuse it. */
export interface Redactor {
  /** Names of the secrets that are not masked because they are shorter than 6 characters. */
  readonly tooShort: readonly string[];
  /**
   * Replaces each secret in a text by `[secret]`, in all its forms. Adjacent matches become one. The beginning of a secret
   * before an ellipsis counts too, since messages truncate what they quote.
   */
  text(text: string): string;
  /** Returns the spans of all whole secrets in a text, in order and without overlaps. */
  find(text: string): readonly TextSpan[];
  /**
   * Replacer for `JSON.stringify` that masks strings, keys, and numbers whose digits contain a secret. Keys that become
   * equal are numbered. Undefined if there is nothing to mask.
   */
  readonly replacer: ((key: string, value: unknown) => unknown) | undefined;
}

/**
 * Creates a redactor. It finds each secret as plain text, in JSON (with any escapes, and JSON within JSON to a depth of 3), in
 * URLs and forms, in HTML, in base64 and base64url (also inside of a longer base64 text), in hexadecimal digits, and in
 * base64 or hexadecimal digits that are themselves in JSON, a URL or HTML.
 *
 * Secrets of fewer than 6 UTF-16 code units occur by chance: they are not masked, and `tooShort` names them. The cost is
 * linear in the text and nearly independent of the number of secrets. If the search exceeds its budget, because a text
 * is full of partial matches, the rest of the text is masked.
 *
 * @param secrets values by name, or a list of values.
 */
export function createRedactor(secrets: Readonly<Record<string, string>> | readonly string[]): Redactor {
  const entries = Object.entries(secrets);
  const values = new Set(entries.map(([, value]) => value).filter(isMaskable));
  const tooShort = entries.filter(([, value]) => !isMaskable(value)).map(([name]) => name);
  if (values.size === 0) return { tooShort, text: (text) => text, find: () => [], replacer: undefined };
  const matcher = rebuiltIfLarge(values);
  const spans = (text: string, withCut: boolean): readonly TextSpan[] =>
    isMaskable(text) ? spansIn(unitsOf(text), (units) => matcher().find(units, withCut)) : [];
  const text = (plain: string) => maskSpans(plain, spans(plain, true));
  return { tooShort, text, find: (plain) => spans(plain, false), replacer: replacerOf(text) };
}

const isMaskable = ({ length }: string): boolean => length >= MIN_SECRET_LENGTH;

/** Redactor that masks nothing. */
export const NO_REDACTION: Redactor = createRedactor([]);

/** Returns the secrets that a redactor masks. */
export const maskableSecrets = (secrets: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).filter(([, value]) => isMaskable(value)));

/** Returns the warning for a secret in `tooShort` of a redactor. */
export const tooShortWarning = (name: string): string =>
  `secret '${name}' has fewer than ${MIN_SECRET_LENGTH} characters, so it is not masked`;

const HARMLESS_HEADER = /^(accept|accept-.*|content-type|user-agent|x-deployment)$/i;
const AUTHENTICATION = /authorization$/i;

/**
 * Returns the parts of a request header to mask, unless its name is known to be harmless: the value, its words, and the
 * values of cookies and parameters.
 */
export function headerSecrets(name: string, value: string): string[] {
  if (HARMLESS_HEADER.test(name)) return [];
  const words = value.split(/[\s;,]+/);
  // The first of several words is the scheme, such as Bearer.
  if (AUTHENTICATION.test(name) && words.length > 1) words.shift();
  const parts = words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  return [...new Set([value, ...parts.filter(isMaskable)])];
}

/**
 * Returns the parts of a URL to mask: its password, and the values of its query parameters. Empty for other texts.
 *
 * @param harmless query parameters that are not secret, in lower case.
 */
export function urlSecrets(url: string, harmless: readonly string[] = []): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const parameters = [...searchParams].filter(([name]) => !harmless.includes(name.toLowerCase()));
  const values = [decodePercent(password) ?? password, ...parameters.map(([, value]) => value)];
  return values.filter((value) => value !== '');
}

/** Replaces each span of a text by the marker. */
export function maskSpans(text: string, spans: readonly TextSpan[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let rest = 0;
  for (const [from, to] of spans) {
    parts.push(text.slice(rest, from), SECRET_MARKER);
    rest = to;
  }
  return parts.join('') + text.slice(rest);
}

/** Total length of the secrets above which the compiled matcher is held weakly, so that it can be garbage collected. */
const LARGE = 10_000;

function rebuiltIfLarge(values: ReadonlySet<string>): () => SecretMatcher {
  const build = () => new SecretMatcher([...values].flatMap(formsOf), SECRET_MARKER);
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

/** Order in which escapes are decoded: JSON to a depth of 3, and combinations that occur in practice. */
const LAYERS = [json([json([json()]), percent(), html()]), percent([percent(), json()]), html([json()])];

/** Searches a text as it is, and with its escapes decoded. */
function spansIn(
  units: Units,
  find: (units: Units) => Iterable<TextSpan>,
  layers: readonly Layer[] = LAYERS,
): TextSpan[] {
  const found = [...find(units)];
  for (const { escapes, within } of layers) {
    const decoded = decode(units, escapes);
    if (!decoded) continue;
    const spans = spansIn(decoded, find, within);
    if (spans.length > 0) for (const span of sourceSpans(units, escapes, spans)) found.push(span);
  }
  return merged(found);
}

/** Sorts spans, and joins overlapping and adjacent ones. */
function merged(spans: TextSpan[]): TextSpan[] {
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
    return Object.fromEntries(
      keys.map((key, index) => {
        const masked = shown[index] ?? key;
        const name = masked === key ? key : uniqueName(masked, (other) => taken.has(other), { separator: ' ' });
        taken.add(name);
        return [name, (value as Record<string, unknown>)[key]];
      }),
    );
  };
}

const MAX_RECENT_SECRETS = 1_000;

/** Remembers the secrets of ended sessions, which late errors can still contain. The oldest ones are removed first. */
export class RecentSecrets {
  readonly #values = new Set<string>();

  get values(): readonly string[] {
    return [...this.#values];
  }

  add(secrets: readonly string[]): void {
    for (const value of secrets) {
      this.#values.delete(value);
      this.#values.add(value);
    }
    for (const value of this.#values) {
      if (this.#values.size <= MAX_RECENT_SECRETS) break;
      this.#values.delete(value);
    }
  }
}
