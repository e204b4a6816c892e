import { isRecord } from '../core/index.ts';
import type { JSONObject, ToolSpec } from '../protocol/index.ts';

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SINGLE = [
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains', 'not', 'if', 'then', 'else'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
];

interface Place {
  /** Such as `/properties/when`; empty for the schema itself. */
  readonly path: string;
  readonly schema: JSONObject;
}

/** A schema and all schemas in it. */
export function* schemasIn(root: unknown): Generator<Place> {
  const open = isRecord(root) ? [{ path: '', schema: root as JSONObject }] : [];
  for (let place = open.shift(); place; place = open.shift()) {
    yield place;
    const { path, schema } = place;
    for (const [step, child] of childrenOf(schema)) {
      if (isRecord(child)) open.push({ path: `${path}/${step}`, schema: child as JSONObject });
    }
  }
}

function* childrenOf(schema: JSONObject): Generator<readonly [string, unknown]> {
  for (const keyword of SINGLE) yield [keyword, schema[keyword]];
  for (const keyword of [...LISTS, 'items']) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const [at, child] of list.entries()) yield [`${keyword}/${at}`, child];
  }
  for (const keyword of NAMED) {
    const named = schema[keyword];
    if (isRecord(named)) for (const [name, child] of Object.entries(named)) yield [`${keyword}/${name}`, child];
  }
}

/** The parameters of a tool, by name, with references to its own definitions followed. */
export function parametersOf({ input_schema: schema }: ToolSpec): [string, JSONObject][] {
  const { properties } = schema ?? {};
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, value]) => [name, resolved(value, schema ?? {})]);
}

/** What stands beside a reference counts as well as what stands behind it. */
function resolved(value: unknown, root: JSONObject): JSONObject {
  let found = isRecord(value) ? (value as JSONObject) : {};
  // A reference that leads to itself ends too.
  for (let steps = 0; steps < 8 && typeof found.$ref === 'string'; steps++) {
    const { $ref, ...beside } = found;
    found = { ...behind($ref as string, root), ...beside };
  }
  return found;
}

function behind(reference: string, root: JSONObject): JSONObject {
  let found: unknown = root;
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isRecord(found) && reference.startsWith('#') ? (found as JSONObject) : {};
}

/** The values that a schema names. */
export function namedValues(root: unknown): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const { schema } of schemasIn(root)) {
    if ('const' in schema) values.add(schema.const);
    if (Array.isArray(schema.enum)) for (const value of schema.enum) values.add(value);
  }
  return values;
}
