import type { JSONObject } from '../../protocol/index.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { choicesOf, followed } from './schema-types.ts';

const MOST_CHOICES = 12;
/** Objects within objects are shown this far. */
const SHOWN_DEPTH = 2;

/** What a schema lets through, for people: `integer, at least 1`, `"north" | "east"`, `{x: number, y?: number}[]`. */
export function typeText(schema: unknown, root: JSONObject, depth = SHOWN_DEPTH): string {
  const known = followed(schema, root);
  if (!known) return 'any JSON';
  const choices = choicesOf(known, root);
  if (choices) return choicesText(choices);
  const options = [known.anyOf, known.oneOf].find(Array.isArray);
  if (options) {
    const shown = options.slice(0, MOST_CHOICES);
    return joined(shown.map((option) => (depth > 0 ? typeText(option, root, depth - 1) : '…')));
  }
  if (Array.isArray(known.type)) return joined(known.type.map((type) => typeText({ ...known, type }, root, depth)));
  if (known.type === 'array') return arrayText(known, root, depth);
  if (known.type === 'object' || known.properties) return objectText(known, root, depth);
  if (typeof known.type !== 'string') return 'any JSON';
  return [known.type + (typeof known.format === 'string' ? ` (${known.format})` : ''), ...limitsOf(known)].join(', ');
}

const joined = (texts: readonly string[]): string => [...new Set(texts)].join(' | ');

function choicesText(choices: readonly unknown[]): string {
  const shown = choices.slice(0, MOST_CHOICES).map(safeJson);
  if (choices.length > MOST_CHOICES) shown.push(`${choices.length - MOST_CHOICES} more`);
  return shown.join(' | ');
}

function arrayText({ items }: JSONObject, root: JSONObject, depth: number): string {
  if (!items || depth === 0) return 'array';
  const item = typeText(items, root, depth - 1);
  return / /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectText({ properties, required }: JSONObject, root: JSONObject, depth: number): string {
  const names = Object.entries((properties as JSONObject | undefined) ?? {});
  if (names.length === 0 || depth === 0) return 'object';
  const needed = Array.isArray(required) ? required : [];
  const fields = names.map(
    ([name, schema]) => `${name}${needed.includes(name) ? '' : '?'}: ${typeText(schema, root, depth - 1)}`,
  );
  return `{${fields.join(', ')}}`;
}

function limitsOf({ minimum, maximum, minLength, maxLength }: JSONObject): string[] {
  return [...range(minimum, maximum, ''), ...range(minLength === 0 ? undefined : minLength, maxLength, ' characters')];
}

function range(least: unknown, most: unknown, unit: string): string[] {
  if (typeof least === 'number' && typeof most === 'number') return [`${least} to ${most}${unit}`];
  if (typeof least === 'number') return [`at least ${least}${unit}`];
  return typeof most === 'number' ? [`at most ${most}${unit}`] : [];
}
