import { type JSONType, joinWords, previewJson, truncate, typePhrase } from '../../core/index.ts';

/** An input that has still to be checked. */
export interface InputCandidate {
  readonly value: unknown;
  readonly what: string;
  /** A key of the input itself is left out that it must have, and that has no default. */
  readonly lacks?: true;
}

/** A place in an input. */
export const quoteName = (name: string): string => (name === '' ? 'the input' : `'${name}'`);

/** Characters of a value in a message. */
const MAX_SHOWN = 60;

export const formatInputValue = (value: unknown): string => previewJson(value, MAX_SHOWN);

export function formatValueList(values: readonly unknown[]): string {
  const texts = values.slice(0, 20).map((value) => formatInputValue(value));
  return truncate(texts.join(', '), MAX_SHOWN);
}

export const joinTypeNames = (types: readonly JSONType[]): string =>
  joinWords(types.map(typePhrase), { conjunction: 'or' });
