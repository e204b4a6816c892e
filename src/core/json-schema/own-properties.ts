import { equalJson } from '../canonical-json.ts';
import { ownProperty } from '../json.ts';
import { createResolver } from './resolve.ts';
import { type JSONSchema, mapSchemas, schemasByName, subschemas } from './walk.ts';

/** Parts of an ajv instance that `compareOwnProperties` uses. */
interface AjvScope {
  readonly scope: { value(prefix: string, value: { readonly key: unknown; readonly ref: unknown }): unknown };
}

/**
 * Options of ajv with which properties may have names of `Object.prototype`, such as `constructor` and `__proto__`. The
 * instance and its schemas also need `compareOwnProperties` and `withProtoPatterns`.
 */
export const OWN_PROPERTY_OPTIONS = {
  ownProperties: true,
  code: { lines: true, process: (code: string) => withOwnLookups(code) },
};

/**
 * Makes an ajv instance compare values by `equalJson`. Its own function calls `valueOf` and `toString` of the data.
 *
 * @param ajvEqual function that is replaced: the default export of `ajv/dist/runtime/equal`.
 */
export function compareOwnProperties(ajv: AjvScope, ajvEqual: unknown): void {
  ajv.scope.value('func', { key: ajvEqual, ref: equalJson });
}

/**
 * Changes generated code of ajv so that it finds only own keys of its tables, which it writes as `{}`. Each pattern
 * matches a whole line, and no text of a schema is a line, because texts are written as JSON.
 */
export const withOwnLookups = (code: string): string =>
  code
    .replaceAll(/^((?:const|let|var) (?:indices|props)\d+ = )\{\};$/gm, '$1Object.create(null);')
    .replaceAll(/^((props\d+) = \2 \|\| )\{\};$/gm, '$1Object.create(null);')
    .replaceAll(
      /^if\(!(props\d+) \|\| !\1\[(key\d+)\]\)\{$/gm,
      'if(!$1 || !Object.prototype.hasOwnProperty.call($1, $2)){',
    );

/**
 * Copies the schema of a property `__proto__`, which ajv ignores, to `patternProperties`. Beside `unevaluatedProperties`,
 * ajv 8.20 counts what patterns of an invalid alternative of `anyOf` or `oneOf` match as evaluated.
 */
export function withProtoPatterns(document: JSONSchema): JSONSchema {
  return mapSchemas(document, (schema) => {
    const properties = schemasByName(schema, 'properties');
    if (!Object.hasOwn(properties, '__proto__')) return schema;
    const patterns = schemasByName(schema, 'patternProperties');
    const own = ownProperty(properties, '__proto__');
    const both = Object.hasOwn(patterns, PROTO_PATTERN) ? { allOf: [own, patterns[PROTO_PATTERN]] } : own;
    return { ...schema, patternProperties: { ...patterns, [PROTO_PATTERN]: both } };
  });
}

const PROTO_PATTERN = '^__proto__$';

/**
 * Returns the first reference within a schema that leads nowhere, or undefined. Does not visit definitions that nothing
 * refers to, and ignores absolute URIs. Ajv would find inherited properties, such as `#/$defs/constructor`.
 */
export function danglingReference(document: JSONSchema): string | undefined {
  const resolver = createResolver(document);
  const open = [document];
  const seen = new Set(open);
  for (const schema of open) {
    const { $ref, $defs, definitions, ...applied } = schema;
    const next = subschemas(applied).map((child) => child.schema);
    if (typeof $ref === 'string') {
      const target = resolver.resolve($ref, schema);
      if (!target && !URL.canParse($ref)) return $ref;
      if (typeof target?.schema === 'object') next.push(target.schema);
    }
    for (const each of next) {
      if (seen.has(each)) continue;
      seen.add(each);
      open.push(each);
    }
  }
  return undefined;
}
