import { type JSONType, joinWords } from '../../core/index.ts';

/** An input that has still to be checked. */
export interface Candidate {
  readonly value: unknown;
  readonly what: string;
  /** A key of the input itself is left out that it must have, and that has no default. */
  readonly lacks?: true;
}

/** A place in an input. */
export const quoted = (name: string): string => (name === '' ? 'the input' : `'${name}'`);

/** A value, cut where it is long. */
export const shown = (value: unknown): string => cut(JSON.stringify(value));

export const shownList = (values: readonly unknown[]): string =>
  cut(
    values
      .slice(0, 20)
      .map((value) => JSON.stringify(value))
      .join(', '),
  );

const cut = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}...` : text);

const NAMES: Readonly<Record<JSONType, string>> = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

export const namesOf = (types: readonly JSONType[]): string =>
  joinWords(
    types.map((type) => NAMES[type]),
    { conjunction: 'or' },
  );
