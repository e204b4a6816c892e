import { truncate } from '../../../core/index.ts';
import type { JSONValue } from '../../../protocol/index.ts';

const MAX_CHARACTERS = 160;
const MAX_TEXT_CHARACTERS = 80;

/** A task in one line: its fields in their order, long texts cut. */
export function summarizeTask(task: Readonly<Record<string, JSONValue>>): string {
  const fields: string[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(task)) {
    const field = `${name}: ${briefValue(value)}`;
    fields.push(field);
    length += field.length;
    if (length > MAX_CHARACTERS) return truncate(fields.join(' · '), MAX_CHARACTERS);
  }
  return fields.join(' · ') || 'an empty task';
}

function briefValue(value: JSONValue): string {
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : (JSON.stringify(value) ?? '');
  return truncate(text, MAX_TEXT_CHARACTERS);
}
