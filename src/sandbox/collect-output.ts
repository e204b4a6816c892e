export type OutputCollector = {
  /** Number of bytes so far, including omitted ones. */
  readonly totalBytes: number;
  add(chunk: Buffer): void;
  /** Returns the bytes that were kept. */
  bytes(): Buffer;
  /** Returns the kept bytes as text, and the number of omitted bytes. */
  read(): { text: string; omitted: number };
};

/** Keeps `limit` bytes of a stream: half of them from its beginning, half from its end, where errors usually are. */
export function collectOutput(limit: number): OutputCollector {
  const headLimit = Math.ceil(limit / 2);
  const tailLimit = limit - headLimit;
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let seen = 0;
  let headSize = 0;
  let tailSize = 0;

  const add = (chunk: Buffer) => {
    seen += chunk.length;
    const forHead = chunk.subarray(0, headLimit - headSize);
    // Copied, since a slice would keep the whole buffer of the pipe.
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
    const before = withoutSplitEnd(first);
    const after = withoutSplitStart(last);
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

/** Removes the first bytes of a character whose other bytes were omitted. */
function withoutSplitEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Removes the last bytes of a character whose first bytes were omitted. */
function withoutSplitStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}
