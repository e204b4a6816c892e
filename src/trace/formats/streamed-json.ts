import { canonicalJson, isRecord } from '../../core/index.ts';
import { type Batches, flatMapBatches, isArray, toBatchIterable } from '../model/index.ts';

/**
 * JSON that is written while what it holds is read, because it may be too large to be held: an object, a list or a text.
 * What stands in it is plain, or streamed in turn. It may be written several times.
 */
export type StreamedJson = StreamedObject | StreamedList | StreamedText;

const STREAMED = Symbol('streamed');

type JsonMembers = Readonly<Record<string, unknown>>;

interface StreamedObject {
  readonly [STREAMED]: 'object';
  readonly members: () => JsonMembers;
}

interface StreamedList {
  readonly [STREAMED]: 'list';
  readonly items: () => Batches<unknown>;
}

interface StreamedText {
  readonly [STREAMED]: 'text';
  readonly parts: () => Batches<string>;
}

/** An object: itself where nothing in it is streamed. Members that are undefined are left out. */
export const streamedObject = (members: JsonMembers): StreamedJson | JsonMembers =>
  Object.values(members).some(isStreamed) ? lazyObject(() => members) : members;

/** An object of which it is known only when it is written what is in it. */
export const lazyObject = (members: () => JsonMembers): StreamedJson => ({ [STREAMED]: 'object', members });

/** A list: itself where all of it is there and plain. */
export function streamedList(read: () => Batches<unknown>): StreamedJson | readonly unknown[] {
  const items = read();
  if (isArray(items) && !items.some(isStreamed)) return items;
  return { [STREAMED]: 'list', items: beginningWith(items, read) };
}

/** A text: itself where all of it is there. No part may end in the middle of a character. */
export function streamedText(read: () => Batches<string>): StreamedJson | string {
  const parts = read();
  return isArray(parts) ? parts.join('') : { [STREAMED]: 'text', parts: beginningWith(parts, read) };
}

/** What has begun to be read is not begun again. */
function beginningWith<T>(items: Batches<T>, read: () => Batches<T>): () => Batches<T> {
  let first: Batches<T> | undefined = items;
  return () => {
    const next = first ?? read();
    first = undefined;
    return next;
  };
}

/** How JSON is written: its plain values, and in which order the members of a streamed object. */
export interface JsonStyle {
  readonly toJson: (value: unknown) => string;
  readonly inOrder: (names: string[]) => string[];
}

/** As `JSON.stringify` writes it. */
export const COMPACT: JsonStyle = { toJson: JSON.stringify, inOrder: (names) => names };

/** The same text as `canonicalJson` has. */
export const CANONICAL: JsonStyle = { toJson: canonicalJson, inOrder: (names) => names.sort() };

/** A piece that is sent has at least so many characters, but for the last. */
const PIECE = 64 * 1024;

/**
 * The JSON of a value, in pieces; none ends in the middle of a character. What is there is not waited for: there may be
 * millions of small values.
 */
export async function* writeJson(value: unknown, form = COMPACT): AsyncGenerator<string> {
  if (!isStreamed(value)) {
    yield form.toJson(value);
    return;
  }
  const open = [begin(value, form)];
  let written = '';
  try {
    for (let inner = open.at(-1); inner; inner = open.at(-1)) {
      if (inner.place === inner.list.length) {
        const next = inner.lists.next();
        const { done, value: list } = next instanceof Promise ? await next : next;
        if (done) {
          written += inner.end();
          open.pop();
        } else [inner.list, inner.place] = [list, 0];
        continue;
      }
      const { before, content } = inner.take(inner.list[inner.place++]);
      written += before;
      if (typeof content === 'string') written += content;
      else open.push(begin(content, form));
      if (written.length < PIECE) continue;
      yield written;
      written = '';
    }
    yield written;
  } finally {
    for (const { lists } of open) await lists.return?.();
  }
}

export const isStreamed = (value: unknown): value is StreamedJson => isRecord(value) && STREAMED in value;

/** What is being written. */
interface WriteState extends ReadState {
  /** What becomes of an item: text, or what is written next. */
  readonly take: (item: unknown) => { readonly before: string; readonly content: string | StreamedJson };
  readonly end: () => string;
}

interface ReadState {
  readonly lists: Iterator<readonly unknown[]> | AsyncIterator<readonly unknown[]>;
  /** What has come, and how much of it is written. */
  list: readonly unknown[];
  place: number;
}

function read(items: Batches<unknown>): ReadState {
  const lists = toBatchIterable(items);
  const iterator = Symbol.asyncIterator in lists ? lists[Symbol.asyncIterator]() : lists[Symbol.iterator]();
  return { lists: iterator, list: [], place: 0 };
}

function begin(value: StreamedJson, form: JsonStyle): WriteState {
  if (value[STREAMED] === 'object') return beginObject(value.members(), form);
  return value[STREAMED] === 'list' ? beginList(value.items(), form) : beginText(value.parts(), form);
}

function beginObject(members: Readonly<Record<string, unknown>>, { toJson, inOrder }: JsonStyle): WriteState {
  const names = inOrder(Object.keys(members)).filter((name) => members[name] !== undefined);
  let open = '{';
  return {
    ...read(names),
    take(name) {
      const value = members[String(name)];
      const before = `${open}${JSON.stringify(name)}:`;
      open = ',';
      return { before, content: isStreamed(value) ? value : toJson(value) };
    },
    end: () => (open === '{' ? '{}' : '}'),
  };
}

function beginList(items: Batches<unknown>, { toJson }: JsonStyle): WriteState {
  let open = '[';
  return {
    ...read(items),
    take(item) {
      const before = open;
      open = ',';
      return { before, content: isStreamed(item) ? item : toJson(item) };
    },
    end: () => (open === '[' ? '[]' : ']'),
  };
}

function beginText(parts: Batches<string>, { toJson }: JsonStyle): WriteState {
  let open = '"';
  return {
    ...read(parts),
    take(part) {
      const before = open;
      open = '';
      return { before, content: toJson(part).slice(1, -1) };
    },
    end: () => `${open}"`,
  };
}

/** Texts with another one between two. */
export function joinStreamed(parts: Batches<string>, separator: string): Batches<string> {
  if (isArray(parts)) return parts.length === 0 ? [] : [parts.join(separator)];
  let before = '';
  return flatMapBatches(parts, (part) => {
    const next = `${before}${part}`;
    before = separator;
    return [next];
  });
}
