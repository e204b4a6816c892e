import { createHash } from 'node:crypto';
import { canonicalJson } from '../../protocol/index.ts';

/** SHA-256 in lower-case hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same for equal values, whatever the order of their keys. */
export const sha256OfJson = (value: unknown): string => sha256(canonicalJson(value));
