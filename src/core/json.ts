import { ExactNumber } from './exact-number.ts';
import { truncate } from './text.ts';

/**
 * Any JSON value.
 *
 * @example
 * const value: JSONValue = ['a', 1, null, { nested: true }];
 */
export type JSONValue = null | boolean | number | string | JSONValue[] | JSONObject;
/**
 * Any JSON object.
 *
 * @example
 * const metadata: JSONObject = { steps: 3, path: ['north', 'east'] };
 */
export type JSONObject = { [key: string]: JSONValue };
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

/** Types of JSON Schema; whole numbers are both `integer` and `number`. */
export type JSONType = (typeof TYPES)[number];

export const isJsonType = (name: unknown): name is JSONType => TYPES.some((type) => type === name);

/** Returns true for an object that is neither null nor an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Like `isRecord`, for a value that is known to be JSON. */
export const isJsonObject = (value: unknown): value is JSONObject => isRecord(value);

/** Returns the value if it is a record, otherwise an empty record. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

/** Returns an own property of a record. Returns undefined for inherited ones such as `constructor`, and for other values. */
export const ownProperty = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns the JSON type of a value, `integer` for whole numbers, or undefined if JSON cannot represent it. */
export function jsonTypeOf(value: JSONValue): JSONType;
export function jsonTypeOf(value: unknown): JSONType | undefined;
export function jsonTypeOf(value: unknown): JSONType | undefined {
  const type = typeof value;
  switch (type) {
    case 'string':
    case 'boolean':
      return type;
    case 'number':
      return Number.isInteger(value) ? 'integer' : Number.isFinite(value) ? 'number' : undefined;
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object';
    default:
      return undefined;
  }
}

/** Parses JSON. Returns undefined for invalid JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export interface JsonProblemOptions {
  /** Also reports integers above 2^53, which may already have been rounded. @default false */
  readonly safeIntegers?: boolean;
}

/**
 * Finds the first place in a value that JSON would change or reject, such as `task.scores[1] is NaN`. Undefined
 * properties, which JSON omits, are accepted.
 *
 * @param path name of the value in the message.
 * @returns the message, or undefined if JSON keeps the value.
 */
export function jsonProblem(value: unknown, path: string, options: JsonProblemOptions = {}): string | undefined {
  try {
    const loss = findLoss(value, options);
    return loss && `${loss.keys.reduceRight<string>(appendKey, path)} ${loss.reason}`;
  } catch (error) {
    if (error instanceof RangeError) return `${path} is circular or nested too deep`;
    throw error;
  }
}

/** Appends a key to a path in a message, such as `point.x`, `point[0]` or `point["a b"]`. */
export function appendKey(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const name = String(key);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Place in a value that JSON would change or reject. */
interface Loss {
  /** Keys of the place, innermost first. */
  readonly keys: PropertyKey[];
  readonly reason: string;
}

function findLoss(value: unknown, options: JsonProblemOptions): Loss | undefined {
  const reason = lossOf(value, options);
  if (reason !== undefined) return { keys: [], reason };
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof URL) return undefined;
  const isList = Array.isArray(value);
  for (const [key, item] of isList ? value.entries() : Object.entries(value)) {
    const loss = item === undefined && !isList ? undefined : findLoss(item, options);
    if (loss) loss.keys.push(key);
    if (loss) return loss;
  }
  return undefined;
}

/** Describes what JSON would change in a value, ignoring its items and properties. */
function lossOf(value: unknown, { safeIntegers }: JsonProblemOptions): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      if (!Number.isFinite(value)) return `is ${value}`;
      if (!safeIntegers || !Number.isInteger(value) || Number.isSafeInteger(value)) return undefined;
      return `is ${value}, an integer that JavaScript cannot represent exactly`;
    case 'object':
      if (value === null || Array.isArray(value) || value instanceof URL || value instanceof ExactNumber)
        return undefined;
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'is an invalid date' : undefined;
      if (hasToJson(value)) return 'has a toJSON method';
      return value instanceof Map || value instanceof Set ? `is a ${value.constructor.name}` : undefined;
    default:
      return value === undefined ? 'is undefined' : `is a ${typeof value}`;
  }
}

/** Returns true if the value has a `toJSON` method, which `JSON.stringify` would call. */
export const hasToJson = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function';

/**
 * Formats a value as JSON for a message, truncated to `max` characters. Values that JSON cannot represent are formatted by
 * `String`. Never throws.
 */
export const previewJson = (value: unknown, max = 160): string => truncate(jsonText(value), max);

function jsonText(value: unknown): string {
  try {
    return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  } catch {
    // Circular, nested too deep, a BigInt, or a `toJSON` method that throws.
    return typeof value === 'object' ? '[object]' : String(value);
  }
}
