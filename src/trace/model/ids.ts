import type { BlockId, TraceId } from '../../../generated/trace.ts';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 26;
const RANDOM_BYTES = 10;
const RANDOM_BITS = BigInt(8 * RANDOM_BYTES);

/** What ids of traces look like, whoever makes them. Source: trace.schema.json, TraceId. */
export const TRACE_ID = /^tr_[0-9A-Za-z_-]{1,64}$/;
/** What ids of blocks look like, whoever makes them. Source: trace.schema.json, BlockId. */
export const BLOCK_ID = /^tb_[0-9A-Za-z_-]{1,64}$/;

/** Where the time (milliseconds since 1970) and the random bytes of ids come from. */
export interface UlidSource {
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Makes ULIDs in lower case: 48 bits of milliseconds and 80 random ones as 26 characters. Each is greater than the one
 * before, also within a millisecond and when the clock goes back, so they sort as text in the order of their making.
 */
export function createUlids({ now, random }: UlidSource): () => string {
  let last = -1n;
  return () => {
    const fresh = (BigInt(now()) << RANDOM_BITS) | toBigInt(random(RANDOM_BYTES));
    last = fresh > last ? fresh : last + 1n;
    return encode(last);
  };
}

/** Fetching random bytes costs more than all else of an id, however few they are. */
const pool = new Uint8Array(4096);
let taken = pool.length;

function random(bytes: number): Uint8Array {
  if (taken + bytes > pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  taken += bytes;
  return pool.subarray(taken - bytes, taken);
}

const ulid = createUlids({ now: Date.now, random });

/** A new id of a trace, such as `tr_01k2m3n4p5q6r7s8t9v0w1x2y3`. */
export const newTraceId = (): TraceId => `tr_${ulid()}`;
/** A new id of a block; greater than every one that this process made before. */
export const newBlockId = (): BlockId => `tb_${ulid()}`;

const toBigInt = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

const encode = (value: bigint): string =>
  Array.from(value.toString(32).padStart(CHARACTERS, '0'), (digit) => CROCKFORD[Number.parseInt(digit, 32)]).join('');
