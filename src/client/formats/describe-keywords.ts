import type { JSONSchema } from '../../core/index.ts';

/** Returns the description with a sentence after it. */
export function addSentence(description: unknown, sentence: string): string {
  return typeof description === 'string' && description !== '' ? `${description}\n${sentence}` : sentence;
}

/** Length in characters above which JSON is not put into a description. */
const MAX_JSON_LENGTH = 600;

/** Describes keywords of a schema for a model; undefined if there are none, or too long ones. */
export function describeKeywords(keywords: JSONSchema): string | undefined {
  const short = Object.entries(keywords).filter(([, value]) => JSON.stringify(value ?? null).length <= MAX_JSON_LENGTH);
  const json = JSON.stringify(Object.fromEntries(short));
  if (short.length > 0 && json.length <= MAX_JSON_LENGTH) return `JSON Schema: ${json}`;
  return undefined;
}
