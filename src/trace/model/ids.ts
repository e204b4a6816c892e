import type { BlockId, TraceId } from '../../../generated/trace.ts';
import { randomBytes } from '../../core/index.ts';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
/** The random part is handled as two numbers, because 80 bits do not fit in a double. */
const HALF_BYTES = 5;
const HALF_CHARACTERS = 8;
const HALF = 2 ** (8 * HALF_BYTES);

/** Pattern of trace ids. Source: trace.schema.json, TraceId. */
export const TRACE_ID = /^tr_[0-9A-Za-z_-]{1,64}$/;
/** Pattern of block ids. Source: trace.schema.json, BlockId. */
export const BLOCK_ID = /^tb_[0-9A-Za-z_-]{1,64}$/;

export const isBlockId = (value: unknown): value is BlockId => typeof value === 'string' && BLOCK_ID.test(value);

/** Sources of time (milliseconds since 1970) and random bytes. */
interface UlidSource {
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Creates a generator of monotonic ULIDs in lower case: 48 bits of milliseconds and 80 random bits in 26 characters.
 * Each id is greater than the previous one, even within a millisecond or after the clock goes back.
 */
export function createUlids({ now, random }: UlidSource): () => string {
  let last: Ulid = [-1, 0, 0];
  return () => {
    const bytes = random(2 * HALF_BYTES);
    const fresh: Ulid = [now(), toNumber(bytes, 0), toNumber(bytes, HALF_BYTES)];
    last = isGreater(fresh, last) ? fresh : following(last);
    const [time, high, low] = last;
    return encode(time, TIME_CHARACTERS) + encode(high, HALF_CHARACTERS) + encode(low, HALF_CHARACTERS);
  };
}

type Ulid = readonly [time: number, high: number, low: number];

const isGreater = ([time, high, low]: Ulid, [otherTime, otherHigh, otherLow]: Ulid): boolean =>
  time !== otherTime ? time > otherTime : high !== otherHigh ? high > otherHigh : low > otherLow;

function following([time, high, low]: Ulid): Ulid {
  if (low + 1 < HALF) return [time, high, low + 1];
  return high + 1 < HALF ? [time, high + 1, 0] : [time + 1, 0, 0];
}

function toNumber(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let index = start; index < start + HALF_BYTES; index++) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

function encode(value: number, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest = Math.floor(rest / 32)) text = CROCKFORD[rest % 32] + text;
  return text;
}

const ulid = createUlids({ now: Date.now, random: randomBytes });

/** Returns a new trace id, such as `tr_01k2m3n4p5q6r7s8t9v0w1x2y3`. */
export const newTraceId = (): TraceId => `tr_${ulid()}`;
/** Returns a new block id, greater than all earlier ones of this process. */
export const newBlockId = (): BlockId => `tb_${ulid()}`;
/** Returns a new score id. */
export const newScoreId = (): string => `sc_${ulid()}`;
