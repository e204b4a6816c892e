/** One step of a JSON pointer, with its slash. Source: RFC 6901. */
export function step(key: PropertyKey): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The pointer without its last step. */
export function parent(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** The pointer as the fragment of a `$ref`. */
export function fragment(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll('#', '%23')}`;
}

/** The pointer that the fragment of a `$ref` stands for. */
export function pointerOf(ref: string): string {
  return decodeURIComponent(ref.slice(1));
}

/** The keys that a pointer goes through. */
export function keysOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
