import { isRecord } from '../core/index.ts';
import { GenerateError } from './generate-error.ts';

/** A JSON object whose members nobody has looked at yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** A value as a JavaScript literal; `__proto__` is written so that it stays a member. */
export const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');

/** Follows a reference inside of a document (`#/components/schemas/Block`). */
export function resolveLocal(document: JsonObject, reference: string): unknown {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  let value: unknown = document;
  for (const step of steps) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
  }
  if (value === undefined) throw new GenerateError(`the reference ${reference} leads nowhere`);
  return value;
}

/** Every `$ref` in a document, wherever it stands. */
export function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') yield member;
    else yield* references(member);
  }
}
