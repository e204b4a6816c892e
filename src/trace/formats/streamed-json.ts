import { canonicalJson, isRecord, stringifyJson } from '../../core/index.ts';
import { type Batches, flatMapBatches, isArray, toBatchIterable } from '../model/index.ts';

/**
 * An object, list or text that is written as JSON while its content is read, because it may not fit in memory. Its members
 * are plain values or streamed themselves. It can be written several times.
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

/** Returns an object, streamed if one of its members is. Undefined members are left out. */
export const streamedObject = (members: JsonMembers): StreamedJson | JsonMembers =>
  Object.values(members).some(isStreamed) ? lazyObject(() => members) : members;

/** Returns an object whose members are determined when it is written. */
export const lazyObject = (members: () => JsonMembers): StreamedJson => ({ [STREAMED]: 'object', members });

/** Returns a list, streamed unless all items are in memory and plain. */
export function streamedList(read: () => Batches<unknown>): StreamedJson | readonly unknown[] {
  const items = read();
  if (isArray(items) && !items.some(isStreamed)) return items;
  return { [STREAMED]: 'list', items: reuseFirst(items, read) };
}

/** Returns a text, streamed unless all parts are in memory. A part must not end inside of a character. */
export function streamedText(read: () => Batches<string>): StreamedJson | string {
  const parts = read();
  return isArray(parts) ? parts.join('') : { [STREAMED]: 'text', parts: reuseFirst(parts, read) };
}

/** Returns the sequence that was read already at the first call, and reads it again at later ones. */
function reuseFirst<T>(items: Batches<T>, read: () => Batches<T>): () => Batches<T> {
  let first: Batches<T> | undefined = items;
  return () => {
    const next = first ?? read();
    first = undefined;
    return next;
  };
}

/** Serialization of plain values, and order of the members of streamed objects. */
interface JsonStyle {
  readonly toJson: (value: unknown) => string;
  readonly inOrder: (names: string[]) => string[];
}

/** Same text as `stringifyJson`. */
export const COMPACT: JsonStyle = { toJson: (value) => stringifyJson(value), inOrder: (names) => names };

/** Same text as `canonicalJson`. */
export const CANONICAL: JsonStyle = { toJson: canonicalJson, inOrder: (names) => names.sort() };

/** Minimum length of a piece, except the last one. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Writes the JSON of a value in pieces that do not end inside of a character. Awaits only promises, because there can be
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
      if (inner.index === inner.list.length) {
        const next = inner.lists.next();
        const { done, value: list } = next instanceof Promise ? await next : next;
        if (done) {
          written += inner.end();
          open.pop();
        } else {
          inner.list = list;
          inner.index = 0;
        }
        continue;
      }
      const { before, content } = inner.take(inner.list[inner.index++]);
      written += before;
      if (typeof content === 'string') written += content;
      else open.push(begin(content, form));
      if (written.length < PIECE_LENGTH) continue;
      yield written;
      written = '';
    }
    yield written;
  } finally {
    for (const { lists } of open) await lists.return?.();
  }
}

export const isStreamed = (value: unknown): value is StreamedJson => isRecord(value) && STREAMED in value;

/** State of an object, list or text that is being written. */
interface WriteState extends ReadState {
  /** Returns the JSON of an item, or the streamed value to write next. */
  readonly take: (item: unknown) => { readonly before: string; readonly content: string | StreamedJson };
  readonly end: () => string;
}

interface ReadState {
  readonly lists: Iterator<readonly unknown[]> | AsyncIterator<readonly unknown[]>;
  /** The current list of items, and the index of the next one. */
  list: readonly unknown[];
  index: number;
}

function read(items: Batches<unknown>): ReadState {
  const lists = toBatchIterable(items);
  const iterator = Symbol.asyncIterator in lists ? lists[Symbol.asyncIterator]() : lists[Symbol.iterator]();
  return { lists: iterator, list: [], index: 0 };
}

/** Opening, separator and closing of each kind. */
const SYNTAX = { object: ['{', ',', '}'], list: ['[', ',', ']'], text: ['"', '', '"'] } as const;

function begin(value: StreamedJson, { toJson, inOrder }: JsonStyle): WriteState {
  const [opening, separator, closing] = SYNTAX[value[STREAMED]];
  const isObject = value[STREAMED] === 'object';
  let next: string = opening;
  const write = (items: Batches<unknown>, contentOf: (item: unknown) => string | StreamedJson): WriteState => ({
    ...read(items),
    take(item) {
      const before = isObject ? `${next}${JSON.stringify(item)}:` : next;
      next = separator;
      return { before, content: contentOf(item) };
    },
    end: () => (next === opening ? opening + closing : closing),
  });
  const jsonOf = (item: unknown) => (isStreamed(item) ? item : toJson(item));
  if (value[STREAMED] === 'list') return write(value.items(), jsonOf);
  if (value[STREAMED] === 'text') return write(value.parts(), (part) => toJson(part).slice(1, -1));
  const members = value.members();
  const names = inOrder(Object.keys(members)).filter((name) => members[name] !== undefined);
  return write(names, (name) => jsonOf(members[String(name)]));
}

/** Joins texts with a separator. */
export function joinStreamed(parts: Batches<string>, separator: string): Batches<string> {
  if (isArray(parts)) return parts.length === 0 ? [] : [parts.join(separator)];
  let before = '';
  return flatMapBatches(parts, (part) => {
    const next = `${before}${part}`;
    before = separator;
    return [next];
  });
}
