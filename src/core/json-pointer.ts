/** Returns the segment of a JSON pointer for a key, with its slash: `a/b` becomes `/a~1b`. Source: RFC 6901. */
export const pointerSegment = (key: PropertyKey): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the keys of a pointer; undefined for a text that is not a pointer. */
export function pointerKeys(pointer: string): readonly string[] | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the pointer without its last segment; that of the whole document is empty. */
export const parentPointer = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));

/** Returns true if a pointer leads to the place of another one or to a place in it. */
export const isWithin = (pointer: string, ancestor: string): boolean =>
  pointer === ancestor || pointer.startsWith(`${ancestor}/`);

/** Returns the value at a pointer, by own keys only; undefined if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  const keys = pointerKeys(pointer);
  return keys?.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return Array.isArray(value) && key === 'length' ? undefined : (value as Record<string, unknown>)[key];
  }, document);
}

/** Returns a pointer as the fragment of a URI, percent-encoded: `/e f` becomes `#/e%20f`. */
export const toFragment = (pointer: string): string => `#${encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')}`;

/**
 * Decodes the fragment of a URI. Percent signs that encode nothing stand for themselves.
 *
 * @param fragment without `#`.
 */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Appends a key to a path for people: `point` and `x` become `point.x`, or `point[0]`, or `point["a b"]`. */
export function appendKey(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const name = String(key);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Formats a pointer as a path for people: `/tags/0/a b` in `body` becomes `body.tags[0]["a b"]`. */
export const pointerPath = (root: string, pointer: string): string =>
  (pointerKeys(pointer) ?? []).reduce((path, key) => appendKey(path, /^\d+$/.test(key) ? Number(key) : key), root);
