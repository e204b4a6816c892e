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
 * Decodes base64; works in Node and in browsers. Accepts white space and missing padding, as `atob` does.
 *
 * @throws Error (InvalidCharacterError) if the text is not valid base64.
 */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Encodes bytes as hexadecimal digits in lower case. */
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => HEX[byte]).join('');

export interface DataUrl {
  /** Media type without its parameters; empty if the URL has none. */
  readonly mediaType: string;
  readonly base64: string;
}

/** Inverse of `parseDataUrl`. */
export const toDataUrl = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`;

/** Splits a data URL with base64 data; returns undefined for other texts. Does not validate the base64. */
export function parseDataUrl(url: string): DataUrl | undefined {
  const [head = '', mediaType] = /^data:([\w.+/-]*)(?:;[^;,]*)*?;base64,/i.exec(url) ?? [];
  return mediaType === undefined ? undefined : { mediaType, base64: url.slice(head.length) };
}
