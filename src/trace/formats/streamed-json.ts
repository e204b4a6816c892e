import { canonicalJson, isRecord } from '../../protocol/index.ts';

/**
 * JSON that is written while what it holds is read, because it may be too large to be held: an object, a list or a text.
 * What stands in it is plain, or streamed in turn. It may be written several times.
 */
export type Streamed = StreamedObject | StreamedList | StreamedText;

const STREAMED = Symbol('streamed');

interface StreamedObject {
  readonly [STREAMED]: 'object';
  readonly members: () => Readonly<Record<string, unknown>>;
}

interface StreamedList {
  readonly [STREAMED]: 'list';
  readonly items: () => Items<unknown>;
}

interface StreamedText {
  readonly [STREAMED]: 'text';
  readonly parts: () => Items<string>;
}

export type Items<T> = Iterable<T> | AsyncIterable<T>;

/** Members that are undefined are left out. */
export const object = (members: StreamedObject['members']): Streamed => ({ [STREAMED]: 'object', members });

export const list = (items: StreamedList['items']): Streamed => ({ [STREAMED]: 'list', items });

/** No part may end in the middle of a character. */
export const text = (parts: StreamedText['parts']): Streamed => ({ [STREAMED]: 'text', parts });

/** How JSON is written: its plain values, and in which order the members of a streamed object. */
export interface Form {
  readonly toJson: (value: unknown) => string;
  readonly inOrder: (names: string[]) => string[];
}

/** As `JSON.stringify` writes it. */
export const COMPACT: Form = { toJson: JSON.stringify, inOrder: (names) => names };

/** The same text as `canonicalJson` has. */
export const CANONICAL: Form = { toJson: canonicalJson, inOrder: (names) => names.sort() };

/** A piece that is sent has at least so many characters, but for the last. */
const PIECE = 64 * 1024;

/** The JSON of a value, in pieces; none ends in the middle of a character. */
export async function* jsonOf(value: unknown, form = COMPACT): AsyncGenerator<string> {
  if (!isStreamed(value)) {
    yield form.toJson(value);
    return;
  }
  let open = '';
  for await (const part of partsOf(value, form)) {
    for await (const piece of typeof part === 'string' ? [part] : jsonOf(part, form)) {
      open += piece;
      if (open.length < PIECE) continue;
      yield open;
      open = '';
    }
  }
  yield open;
}

export const isStreamed = (value: unknown): value is Streamed => isRecord(value) && STREAMED in value;

/** What is text already, and what is to be. */
type Part = string | Streamed;

function partsOf(value: Streamed, form: Form): Items<Part> {
  if (value[STREAMED] === 'object') return partsOfObject(value.members(), form);
  return value[STREAMED] === 'list' ? partsOfList(value.items(), form) : partsOfText(value.parts(), form);
}

function* partsOfObject(members: Readonly<Record<string, unknown>>, { toJson, inOrder }: Form): Generator<Part> {
  let before = '{';
  for (const name of inOrder(Object.keys(members))) {
    const value = members[name];
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield isStreamed(value) ? value : toJson(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

async function* partsOfList(items: Items<unknown>, { toJson }: Form): AsyncGenerator<Part> {
  let before = '[';
  for await (const item of items) {
    yield before;
    yield isStreamed(item) ? item : toJson(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* partsOfText(parts: Items<string>, { toJson }: Form): AsyncGenerator<Part> {
  yield '"';
  for await (const part of parts) yield toJson(part).slice(1, -1);
  yield '"';
}

/** Texts with another one between two. */
export async function* joined(parts: Items<string>, separator: string): AsyncGenerator<string> {
  let before = '';
  for await (const part of parts) {
    yield `${before}${part}`;
    before = separator;
  }
}
