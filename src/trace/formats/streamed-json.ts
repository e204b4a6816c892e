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

/**
 * The JSON of a value, in pieces; none ends in the middle of a character. What is there is not waited for: there may be
 * millions of small values.
 */
export async function* jsonOf(value: unknown, form = COMPACT): AsyncGenerator<string> {
  if (!isStreamed(value)) {
    yield form.toJson(value);
    return;
  }
  const open = [begin(value, form)];
  let written = '';
  try {
    for (let inner = open.at(-1); inner; inner = open.at(-1)) {
      const next = inner.items.next();
      const { done, value: item } = next instanceof Promise ? await next : next;
      if (done) {
        written += inner.end();
        open.pop();
        continue;
      }
      const { before, content } = inner.take(item);
      written += before;
      if (typeof content === 'string') written += content;
      else open.push(begin(content, form));
      if (written.length < PIECE) continue;
      yield written;
      written = '';
    }
    yield written;
  } finally {
    for (const { items } of open) await items.return?.();
  }
}

export const isStreamed = (value: unknown): value is Streamed => isRecord(value) && STREAMED in value;

/** What is being written. */
interface Open {
  readonly items: Iterator<unknown> | AsyncIterator<unknown>;
  /** What becomes of an item: text, or what is written next. */
  readonly take: (item: unknown) => { readonly before: string; readonly content: string | Streamed };
  readonly end: () => string;
}

function begin(value: Streamed, form: Form): Open {
  if (value[STREAMED] === 'object') return beginObject(value.members(), form);
  return value[STREAMED] === 'list' ? beginList(value.items(), form) : beginText(value.parts(), form);
}

function beginObject(members: Readonly<Record<string, unknown>>, { toJson, inOrder }: Form): Open {
  const names = inOrder(Object.keys(members)).filter((name) => members[name] !== undefined);
  let open = '{';
  return {
    items: names.values(),
    take(name) {
      const value = members[String(name)];
      const before = `${open}${JSON.stringify(name)}:`;
      open = ',';
      return { before, content: isStreamed(value) ? value : toJson(value) };
    },
    end: () => (open === '{' ? '{}' : '}'),
  };
}

function beginList(items: Items<unknown>, { toJson }: Form): Open {
  let open = '[';
  return {
    items: iteratorOf(items),
    take(item) {
      const before = open;
      open = ',';
      return { before, content: isStreamed(item) ? item : toJson(item) };
    },
    end: () => (open === '[' ? '[]' : ']'),
  };
}

function beginText(parts: Items<string>, { toJson }: Form): Open {
  let open = '"';
  return {
    items: iteratorOf(parts),
    take(part) {
      const before = open;
      open = '';
      return { before, content: toJson(part).slice(1, -1) };
    },
    end: () => `${open}"`,
  };
}

const iteratorOf = (items: Items<unknown>): Open['items'] =>
  Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();

/** Texts with another one between two. */
export async function* joined(parts: Items<string>, separator: string): AsyncGenerator<string> {
  let before = '';
  for await (const part of parts) {
    yield `${before}${part}`;
    before = separator;
  }
}
