/** Characters per piece: long enough to be fast, far below the argument limit of any engine at any stack depth. */
const PIECE = 1_024;

/** Encodes bytes as base64; works in Node and in browsers. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE) {
    pieces.push(String.fromCharCode.apply(undefined, bytes.subarray(start, start + PIECE) as unknown as number[]));
  }
  return btoa(pieces.join(''));
}

/**
 * Decodes base64; works in Node and in browsers.
 *
 * @throws Error (InvalidCharacterError) if the text is not valid base64.
 */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
