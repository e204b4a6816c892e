import { escapeLike } from './statements.ts';

/** A pattern grows the time of a comparison with each character; what is left after so many is looked at in another way. */
const CHARACTERS = 32;

/**
 * A pattern for `Dialect.like` that fits every payload, as JSON, with a string value that holds a text, capitals or not. It
 * fits others too.
 */
export function payloadPattern(text: string): string {
  const beginning = Array.from(text).slice(0, CHARACTERS).join('');
  const written = JSON.stringify(beginning).slice(1, -1);
  return `%${Array.from(written, (character) => (OTHERS.test(character) ? '_' : escapeLike(character))).join('')}%`;
}

/** Letters that are like others than those which databases know, which is the capitals of ASCII: k is like K, s like ſ. */
const OTHERS = /[ksKS]|(?![a-zA-Z])\p{Changes_When_Casemapped}/u;
