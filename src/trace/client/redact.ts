import { isRecord } from '../../protocol/index.ts';

/** Shorter values occur by chance, and replacing them would garble what is logged. */
const SHORTEST_BYTES = 8;

/** A replacer for JSON.stringify; undefined where there is nothing to replace. */
export type Redact = ((key: string, value: unknown) => unknown) | undefined;

/**
 * Replaces secrets by `[REDACTED:name]` in texts and keys, wherever their exact value occurs, or that value as a JSON
 * string writes it.
 *
 * @param onTooShort told the names of those that are not replaced, because they have less than 8 bytes.
 */
export function createRedactor(
  secrets: Readonly<Record<string, string>>,
  onTooShort: (names: readonly string[]) => void,
): Redact {
  const names = new Map<string, string>();
  const tooShort: string[] = [];
  for (const [name, value] of Object.entries(secrets)) {
    if (new TextEncoder().encode(value).length < SHORTEST_BYTES) tooShort.push(name);
    else for (const form of [value, JSON.stringify(value).slice(1, -1)]) names.set(form, name);
  }
  if (tooShort.length > 0) onTooShort(tooShort);
  if (names.size === 0) return undefined;
  // The longest first: one secret may be the beginning of another.
  const forms = [...names.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  const replace = (text: string) => text.replace(pattern, (form) => `[REDACTED:${names.get(form)}]`);
  return (_key, value) => {
    if (typeof value === 'string') return replace(value);
    if (typeof value === 'number' && names.has(String(value))) return `[REDACTED:${names.get(String(value))}]`;
    if (!isRecord(value)) return value;
    const keys = Object.keys(value);
    if (!keys.some((key) => key !== replace(key))) return value;
    return Object.fromEntries(keys.map((key) => [replace(key), value[key]]));
  };
}
