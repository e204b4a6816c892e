import type { PgTypes } from './node-postgres.ts';

const readBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex'));

const readText = (text: string): string => text;

/** By the numbers of PostgreSQL: bytea; int8, int2, int4, float4, float8 and numeric; whole numbers stay within 53 bits. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [17, readBytes],
  [20, Number],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [1700, Number],
]);

export const pgTypes: PgTypes = { getTypeParser: (type) => PARSERS.get(type) ?? readText };
