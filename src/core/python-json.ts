import { unicodeEscape } from './escape.ts';
import type { JSONValue } from './json.ts';

/**
 * Formats a JSON value like `json.dumps` of Python with its defaults: a space after `,` and `:`, everything outside of
 * printable ASCII escaped. Equal to Python's text except that JavaScript has no float that is an integer (`1.0`), and puts
 * keys that look like array indexes first.
 */
export function pythonJson(value: JSONValue): string {
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'number') return pythonNumber(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${pythonString(key)}: ${pythonJson(item)}`)
    .join(', ')}}`;
}

const pythonString = (text: string): string => JSON.stringify(text).replace(/[\u007f-\uffff]/g, unicodeEscape);

/** Python writes small numbers with an exponent of at least two digits, from 1e-5 on. */
function pythonNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
}
