import type { OpenAPI3 } from 'openapi-typescript';
import { GenerateError } from './generate-error.ts';
import type { JsonObject } from './load-spec.ts';
import { loadOptionalPackage } from './optional-package.ts';

/** Recursive, which openapi-typescript cannot express: a schema points here by `x-typescript: JSONValue`. */
const JSON_VALUE =
  'export type JSONValue = string | number | boolean | null | { [key: string]: JSONValue } | JSONValue[];';

/** The types of an OpenAPI document: `paths`, `operations`, `components`. */
export async function openapiTypes(document: JsonObject): Promise<string> {
  // First, because openapi-typescript needs it as well and would not say so in our words.
  const { default: ts } = await loadOptionalPackage('typescript', () => import('typescript'));
  const { default: openapiTS, astToString } = await loadOptionalPackage(
    'openapi-typescript',
    () => import('openapi-typescript'),
  );
  const requested = findTypeNames(document);
  const nodes = await openapiTS(structuredClone(document) as unknown as OpenAPI3, {
    silent: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    ...(requested.size > 0 && { inject: JSON_VALUE }),
    transform: (schema) =>
      'x-typescript' in schema ? ts.factory.createTypeReferenceNode(String(schema['x-typescript'])) : undefined,
  });
  return astToString(nodes);
}

/** Every name that an `x-typescript` keyword asks for; only JSONValue is known. */
function findTypeNames(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key !== 'x-typescript') findTypeNames(member, found);
    else if (member === 'JSONValue') found.add(member);
    else throw new GenerateError(`x-typescript is ${JSON.stringify(member)}; the only type known here is JSONValue`);
  }
  return found;
}
