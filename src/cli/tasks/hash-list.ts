const HASH_BYTES = 32;
const FIRST_ROOM = 1024;

/** The hashes of the tasks of one split, by index: 32 bytes each. */
export interface HashList {
  readonly length: number;
  /** Adds that of the next index, in hex. */
  add(hash: string): void;
  /** A text that is the same for the same hash, of 32 characters. */
  at(index: number): string;
  /** Whether the hash at an index is that of another list at the same. */
  sameAt(index: number, other: HashList): boolean;
  /** The bytes of one hash, as they lie. */
  bytesAt(index: number): Buffer;
}

/** An empty list. */
export function createHashList(): HashList {
  let bytes = Buffer.allocUnsafe(FIRST_ROOM * HASH_BYTES);
  let length = 0;
  const bytesAt = (index: number) => bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  return {
    get length() {
      return length;
    },
    add(hash) {
      if ((length + 1) * HASH_BYTES > bytes.length) {
        const larger = Buffer.allocUnsafe(bytes.length * 2);
        bytes.copy(larger);
        bytes = larger;
      }
      bytes.write(hash, length * HASH_BYTES, 'hex');
      length += 1;
    },
    at: (index) => bytes.toString('latin1', index * HASH_BYTES, (index + 1) * HASH_BYTES),
    sameAt: (index, other) => bytesAt(index).equals(other.bytesAt(index)),
    bytesAt,
  };
}
