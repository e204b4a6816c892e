/** Cuts a text into pieces of at most so many bytes of UTF-8, between characters and never inside one. */
export function splitText(text: string, maxBytes: number): string[] {
  const pieces: string[] = [];
  const encoder = new TextEncoder();
  // The longest character has four bytes.
  const room = new Uint8Array(Math.max(4, maxBytes));
  for (let start = 0; start < text.length; ) {
    const { read } = encoder.encodeInto(text.slice(start, start + room.length), room);
    pieces.push(text.slice(start, start + read));
    start += read;
  }
  return pieces;
}
