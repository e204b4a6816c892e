import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a text in hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

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
