import { truncate } from '../../../core/index.ts';
import type { JSONValue } from '../../../protocol/index.ts';

const MOST_CHARACTERS = 160;
const MOST_OF_A_TEXT = 80;

/** A task in one line: its fields in their order, long texts cut. */
export function brief(task: Readonly<Record<string, JSONValue>>): string {
  const fields: string[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(task)) {
    const field = `${name}: ${briefValue(value)}`;
    fields.push(field);
    length += field.length;
    if (length > MOST_CHARACTERS) return truncate(fields.join(' · '), MOST_CHARACTERS);
  }
  return fields.join(' · ') || 'an empty task';
}

function briefValue(value: JSONValue): string {
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : (JSON.stringify(value) ?? '');
  return truncate(text, MOST_OF_A_TEXT);
}
