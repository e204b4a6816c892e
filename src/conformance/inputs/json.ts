export type SchemaObject = Readonly<Record<string, unknown>>;
export type Schema = SchemaObject | boolean;
/** Schemas that all hold for the same value. */
export type Schemas = readonly Schema[];
export type Type = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** A JSON object. */
export const isObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value);

/** The values of an object or list that are schemas. */
export const schemasIn = (value: unknown): Schema[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isSchema) : [];

/** What an object has under a key of its own. */
export const own = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean' | 'object'; // whatever else JSON has
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
