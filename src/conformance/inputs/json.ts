import { isRecord } from '../../core/index.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;
export type Schema = SchemaObject | boolean;
/** Schemas that all hold for the same value. */
export type Schemas = readonly Schema[];

export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isRecord(value);

/** The values of an object or list that are schemas. */
export const schemasIn = (value: unknown): Schema[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isSchema) : [];
