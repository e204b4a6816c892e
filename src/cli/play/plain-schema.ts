import { isRecord } from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import { followed, newEffort } from '../remote/schema-types.ts';

/** Keywords that take no longer to check than the value is long. */
const PLAIN = new Set([
  ...['type', 'enum', 'const', 'default', 'required', 'uniqueItems', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);

/** Deeper than this, everything is allowed. */
const DEEPEST = 8;

/**
 * A schema that allows at least what the given one does, and is checked in a short time whoever wrote it. References
 * are opened; patterns, formats, and keywords that could then allow less are left out, as are parts beyond a size.
 */
export function plainSchema(schema: unknown, root: JSONObject, effort = newEffort(), depth = 0): JSONObject | boolean {
  if (typeof schema === 'boolean') return schema;
  const known = followed(schema, root);
  if (!known || depth > DEEPEST || effort.left-- <= 0) return {};
  const plain = (part: unknown) => plainSchema(part, root, effort, depth + 1);
  const parts = (list: unknown) => (Array.isArray(list) && list.length > 0 ? list.map(plain) : undefined);
  const { properties, additionalProperties, items, allOf, anyOf, oneOf } = known;
  const told: [string, JSONValue | undefined][] = Object.entries(known).filter(([keyword]) => PLAIN.has(keyword));
  if (isRecord(properties)) {
    const inside = Object.entries(properties).map(([name, property]): [string, JSONValue] => [name, plain(property)]);
    told.push(['properties', Object.fromEntries(inside)]);
  }
  if (additionalProperties !== undefined && !('patternProperties' in known)) {
    told.push(['additionalProperties', plain(additionalProperties)]);
  }
  if (items !== undefined && !Array.isArray(items) && !('prefixItems' in known)) told.push(['items', plain(items)]);
  // More than one of oneOf may fit once patterns are gone.
  told.push(['allOf', parts(allOf)], ['anyOf', parts(anyOf ?? oneOf)]);
  return Object.fromEntries(told.filter((entry): entry is [string, JSONValue] => entry[1] !== undefined));
}
