import { count, bytes as short } from '../parts/amounts.ts';

const encoder = new TextEncoder();
const ROOM = new Uint8Array(64 * 1024);

/** Bytes of a text in UTF-8. */
export function textBytes(text: string): number {
  if (text.length <= ROOM.length / 3) return encoder.encodeInto(text, ROOM).written;
  return encoder.encode(text).length;
}

/** `1,980,000 bytes (1.9 MB)`. */
export const exactBytes = (value: number): string =>
  value < 1_024 ? `${count(value)} ${value === 1 ? 'byte' : 'bytes'}` : `${count(value)} bytes (${short(value)})`;
