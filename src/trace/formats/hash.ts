import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/index.ts';

/** SHA-256 in lower-case hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same for equal values, whatever the order of their keys. */
export const sha256OfJson = (value: unknown): string => sha256(canonicalJson(value));

/** The hash of a text that comes in pieces, none of which ends in the middle of a character. */
export interface Sha256 {
  readonly add: (piece: string) => void;
  /** In lower-case hex; nothing can be added after it. */
  readonly hex: () => string;
}

export function createSha256(): Sha256 {
  const hash = createHash('sha256');
  return {
    add(piece) {
      hash.update(piece);
    },
    hex: () => hash.digest('hex'),
  };
}
