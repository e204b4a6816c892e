/**
 * Tells what JSON would change or refuse in a value: the first such place and what is there, or undefined if there is
 * none. Properties that are undefined are left out by JSON and no problem.
 */
export function jsonProblem(value: unknown, path: string): string | undefined {
  try {
    return problem(value, path);
  } catch (error) {
    if (error instanceof RangeError) return `${path} is circular or nested too deep`;
    throw error;
  }
}

function problem(value: unknown, path: string): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== 'object')
    return `${path} is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`;
  if (Array.isArray(value)) return first(value, (item, index) => problem(item, `${path}[${index}]`));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? `${path} is an invalid date` : undefined;
  if (value instanceof URL) return undefined;
  if (hasToJson(value)) return `${path} has a toJSON method`;
  if (value instanceof Map || value instanceof Set) return `${path} is a ${value.constructor.name}`;
  return first(Object.entries(value), ([key, item]) =>
    item === undefined ? undefined : problem(item, `${path}.${key}`),
  );
}

function first<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An object may also have a field of this name, which is a field like others. */
const hasToJson = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function';

/** JSON text that is the same for values that differ only in the order of keys. */
export const canonicalJson = (value: unknown): string =>
  isInOrder(value) ? (JSON.stringify(value) ?? 'null') : inOrder(value);

/** Whether the text is the same without putting keys in order; most of what is small is. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  if (hasToJson(value)) return true;
  let last = '';
  for (const key of Object.keys(value)) {
    if (key < last || !isInOrder((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}

function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  if (!isRecord(value) || hasToJson(value)) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    if (value[key] !== undefined) members.push(`${JSON.stringify(key)}:${inOrder(value[key])}`);
  }
  return `{${members.join(',')}}`;
}

/** Whether a value is an object with fields, and neither null nor an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of JSON text; undefined for any other text. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
