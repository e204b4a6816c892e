import { type Awaitable, pointerSegment } from '../core/index.ts';
import type { SchemaValidation, ValueIssue } from './schema.ts';

/**
 * Subset of Standard Schema and Standard JSON Schema (version 1): a common interface of schema libraries under the key
 * `~standard`. Source: https://standardschema.dev.
 */
export interface StandardProps {
  /** Name of the library, such as `zod`. */
  readonly vendor: string;
  /** Validates a value and returns it with defaults and transforms applied. */
  readonly validate?: (value: unknown) => Awaitable<StandardResult>;
  /** Converts the schema to JSON Schema; `input` describes values before defaults and transforms. May throw. */
  readonly jsonSchema?: { readonly input: (options: StandardJsonSchemaOptions) => object };
}

export interface StandardJsonSchemaOptions {
  readonly target: 'draft-2020-12';
  /** Options of one library. */
  readonly libraryOptions?: { readonly [option: string]: unknown } | undefined;
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  /** Keys from the outermost to the innermost; a segment is a key or an object that contains one. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Returns the Standard Schema interface; undefined for a schema that is JSON Schema itself, such as TypeBox's. */
export function getStandardProps(schema: object): StandardProps | undefined {
  // The key is reserved, so every schema that has it implements the interface.
  return '~standard' in schema ? (schema['~standard'] as StandardProps) : undefined;
}

/** Converts the result of a schema library. `T` is the output type that the library declares. */
export function toSchemaValidation<T>(result: StandardResult): SchemaValidation<T> {
  if (result.issues) return { ok: false, issues: result.issues.map(toValueIssue) };
  return { ok: true, value: result.value as T };
}

function toValueIssue({ path = [], message }: StandardIssue): ValueIssue {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  return { path: keys.map(pointerSegment).join(''), message: withoutValue(withoutPath(message, keys)) };
}

/** Removes the path at the start of ArkType's messages: `range.tags[0] must be …`. */
function withoutPath(message: string, keys: readonly PropertyKey[]): string {
  const path = keys
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return path !== '' && message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
}

/** Removes the value from messages of Valibot and ArkType, because it may be a secret. */
function withoutValue(message: string): string {
  const several = message.startsWith('(') ? message.lastIndexOf(') must be...\n') : -1; // ArkType: (5) must be...\n ◦ even
  const [reason = ''] = message.slice(several < 0 ? 0 : several + 2).split(' (was ', 1); // ArkType: must be even (was 5)
  return withoutReceived(reason).replace(/\s*\n\s*◦\s*/g, ' ');
}

/** Removes the value from messages of Valibot: `Invalid email: Received "x"`, `Expected >=50 but received 9`. */
function withoutReceived(message: string): string {
  const end = message.search(/(:| but) received ./i);
  if (end < 0) return message;
  const [, value = ''] = message.slice(end).split(/ received /i, 2);
  return value.startsWith('"') || !/\s/.test(value) ? message.slice(0, end) : message;
}
