import { appendKey } from './json.ts';

/** Formats a key as a segment of a JSON pointer, with its slash: `a/b` becomes `/a~1b`. Source: RFC 6901. */
export const pointerSegment = (key: PropertyKey): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the keys of a pointer, or undefined if the text is not a pointer. */
export function pointerKeys(pointer: string): readonly string[] | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Removes the last segment of a pointer. */
export const parentPointer = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));

/** Returns true if a pointer equals another one, or points into its value. */
export const isWithin = (pointer: string, ancestor: string): boolean =>
  pointer === ancestor || pointer.startsWith(`${ancestor}/`);

/** Returns the value at a pointer, or undefined if there is none. Follows only own properties. */
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
 * Decodes the fragment of a URI. Returns it unchanged if its percent-encoding is invalid.
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

/** Formats a pointer as a path in a message: `/tags/0/a b` in `body` becomes `body.tags[0]["a b"]`. */
export const pointerPath = (root: string, pointer: string): string =>
  (pointerKeys(pointer) ?? []).reduce((path, key) => appendKey(path, /^\d+$/.test(key) ? Number(key) : key), root);
