import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';

/** Returns the SHA-256 of a JSON value in hex; the same for values that differ only in the order of keys. */
export const sha256OfJson = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Returns the hash of a script or style for a Content-Security-Policy, with its quotes. */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
