import type { ConformanceOptions } from '../options.ts';
import type { Header } from '../probe/index.ts';

/** Stands where something was that nobody may read. */
export const HIDDEN = '[hidden]';

/** Takes secrets and the values of the user's headers out of everything that is shown or written. */
export interface Redactor {
  text(text: string): string;
  /** `moved` tells where a place in the old bytes is in the new ones. */
  bytes(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly moved: (offset: number) => number };
  /** Header lines; the user's own lose their whole value. */
  headers(headers: readonly Header[]): Header[];
}

type Span = readonly [from: number, to: number];
/** One way of writing a value. In base64 the whole word around it goes, since its ends hold more of the value. */
type Form = { readonly text: string; readonly isBase64: boolean };

/** Fewer characters of base64 are found by chance. */
const LEAST_BASE64 = 6;
/** Shorter values of headers, such as `1` or `true`, are no secrets, and would be found everywhere. */
const LEAST_HEADER_VALUE = 6;
/** The beginning of a value that a cut text ends with, from this length on. */
const LEAST_BEGINNING = 4;
const LONGEST_BEGINNING = 1_000;
const DEEPEST_JSON = 3;
const HARMLESS_HEADER = /^(accept|accept-.*|content-type|user-agent|x-deployment)$/i;
const BASE64_WORD = /[A-Za-z0-9+/_=-]/;

/** What hides the secrets and headers of a run. */
export function redactorOf({ secrets = {}, headers = [] }: Pick<ConformanceOptions, 'secrets' | 'headers'>): Redactor {
  const values = [...Object.values(secrets), ...headers.flatMap(valuesOf)].filter((value) => value !== '');
  const forms = [...new Map(values.flatMap(writings).map((form) => [form.text, form])).values()];
  const byteForms = forms.map(({ text, ...form }) => ({ ...form, text: Buffer.from(text).toString('latin1') }));
  const hiddenNames = new Set(headers.map(([name]) => name.toLowerCase()));
  if (Object.keys(secrets).length > 0) hiddenNames.add('x-secrets');
  const text = (plain: string) => withoutBeginnings(replaced(plain, spansOf(plain, forms)), forms);
  return {
    text,
    bytes(plain) {
      const latin1 = Buffer.from(plain).toString('latin1');
      const spans = spansOf(latin1, byteForms);
      if (spans.length === 0) return { bytes: plain, moved: (offset) => offset };
      const bytes = Buffer.from(replaced(latin1, spans), 'latin1');
      return { bytes, moved: (offset) => movedBy(spans, offset) };
    },
    headers: (lines) =>
      lines.map(([name, value]) => [text(name), hiddenNames.has(name.toLowerCase()) ? HIDDEN : text(value)] as const),
  };
}

/** The parts of a header's value that are worth hiding elsewhere too: all of it, a token, values of cookies. */
function valuesOf([name, value]: Header): string[] {
  if (HARMLESS_HEADER.test(name)) return [];
  const parts = value.split(/[\s;,]+/).flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]);
  return [value, ...parts].filter((part) => part.length >= LEAST_HEADER_VALUE);
}

function writings(value: string): Form[] {
  const texts = inJson(value);
  const plain = texts.flatMap((text) => [text, encodeURIComponent(text.toWellFormed()), ...inHtml(text)]);
  return [
    ...plain.map((text) => ({ text, isBase64: false })),
    ...texts.flatMap(inBase64).map((text) => ({ text, isBase64: true })),
  ];
}

/** A value, and it in JSON, and that in JSON again, as servers give back what they were sent; with and without ASCII alone. */
function inJson(value: string): string[] {
  const all = new Set([value]);
  for (let depth = 0; depth < DEEPEST_JSON; depth++) {
    for (const text of [...all]) {
      const json = JSON.stringify(text).slice(1, -1);
      all.add(json).add(inAscii(json, false));
      if (depth === 0) all.add(inAscii(json, true));
    }
  }
  return [...all];
}

const inAscii = (text: string, areCapitals: boolean): string =>
  text.replace(/[^\x20-\x7e]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${areCapitals ? code.toUpperCase() : code}`;
  });

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const inHtml = (text: string): string[] => [
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character),
];

/** The characters of base64 that a value alone makes, at each of the three places at which it can begin. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (core.length < LEAST_BASE64) return [];
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Where the forms are, in order, none of them over another. */
function spansOf(text: string, forms: readonly Form[]): Span[] {
  const found = forms.flatMap((form) => placesOf(text, form)).sort(([a], [b]) => a - b);
  const spans: [number, number][] = [];
  for (const [from, to] of found) {
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

function placesOf(text: string, form: Form): Span[] {
  const places: Span[] = [];
  let from = text.indexOf(form.text);
  while (from >= 0) {
    let [begin, end] = [from, from + form.text.length];
    while (form.isBase64 && BASE64_WORD.test(text[begin - 1] ?? ' ')) begin--;
    while (form.isBase64 && BASE64_WORD.test(text[end] ?? ' ')) end++;
    places.push([begin, end]);
    from = text.indexOf(form.text, end);
  }
  return places;
}

function replaced(text: string, spans: readonly Span[]): string {
  let rest = 0;
  const parts = spans.map(([from, to]) => {
    const part = text.slice(rest, from) + HIDDEN;
    rest = to;
    return part;
  });
  return parts.join('') + text.slice(rest);
}

/** Where a place is after the spans were replaced; a place within one is then behind what replaced it. */
function movedBy(spans: readonly Span[], offset: number): number {
  let moved = offset;
  for (const [from, to] of spans) {
    if (from >= offset) break;
    moved += HIDDEN.length - (Math.min(to, offset) - from);
  }
  return moved;
}

/** A message that quotes a server is cut somewhere, maybe within a secret. */
function withoutBeginnings(text: string, forms: readonly Form[]): string {
  const spans = [...text.matchAll(/\.\.\.|…/g)].flatMap(({ index }): Span[] => {
    const before = text.slice(Math.max(0, index - LONGEST_BEGINNING), index);
    const length = Math.max(0, ...forms.map((form) => beginningAt(before, form.text)));
    return length < LEAST_BEGINNING ? [] : [[index - length, index]];
  });
  return replaced(text, spans);
}

/** How many characters of the form's beginning the text ends with. */
function beginningAt(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= LEAST_BEGINNING; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
