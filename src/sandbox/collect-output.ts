export type OutputCollector = {
  /** Bytes so far, those left out included. */
  readonly totalBytes: number;
  add(chunk: Buffer): void;
  /** What was kept. */
  bytes(): Buffer;
  /** The same as text, and how many bytes it leaves out. */
  read(): { text: string; omitted: number };
};

/** Keeps the first and the last half of `limit` bytes of a stream: errors stand at its end. */
export function collectOutput(limit: number): OutputCollector {
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let [seen, headSize, tailSize] = [0, 0, 0];

  const add = (chunk: Buffer) => {
    seen += chunk.length;
    const forHead = chunk.subarray(0, headLimit - headSize);
    // Copied: a slice of a pipe's buffer would keep all of that buffer.
    if (forHead.length > 0) head.push(Buffer.from(forHead));
    headSize += forHead.length;
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0) return;
    tail.push(forTail);
    tailSize += forTail.length;
    if (tailSize > 2 * tailLimit + 64 * 1024) {
      tail = [lastBytes(tail, tailLimit)];
      tailSize = tailLimit;
    }
  };

  const read = () => {
    const first = Buffer.concat(head);
    const last = lastBytes(tail, tailLimit);
    if (first.length + last.length === seen) return { text: decode(Buffer.concat([first, last])), omitted: 0 };
    const [before, after] = [withoutCutEnd(first), withoutCutStart(last)];
    const omitted = seen - before.length - after.length;
    return { text: `${decode(before)}\n[... ${omitted} bytes left out ...]\n${decode(after)}`, omitted };
  };

  return {
    get totalBytes() {
      return seen;
    },
    add,
    bytes: () => Buffer.concat([...head, lastBytes(tail, tailLimit)]),
    read,
  };
}

function lastBytes(chunks: Buffer[], limit: number): Buffer {
  const all = Buffer.concat(chunks);
  return Buffer.from(all.subarray(Math.max(0, all.length - limit)));
}

const decode = (bytes: Buffer) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Without the first bytes of a character whose other bytes are left out. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the last bytes of a character whose first ones are left out. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}
