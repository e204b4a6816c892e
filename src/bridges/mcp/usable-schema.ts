import { type JSONSchema, schemasByName, stringsAt } from '../../core/index.ts';
import { isObjectSchema, toSchema, withoutInvalidDefaults } from '../../schema/index.ts';

/** Keywords with schemas that properties refer to. */
const DEFINITIONS = ['$defs', 'definitions'];

/**
 * Returns an input schema of which agents and providers can use every part: the schema itself if it is valid, otherwise
 * without what is not. The server of the tool validates its inputs in any case.
 *
 * @param warn called with the reason for a change.
 */
export function usableSchema(inputSchema: JSONSchema, warn: (message: string) => void): JSONSchema {
  const schema = withoutInvalidDefaults({ type: 'object', ...inputSchema });
  const problem = problemOf(schema);
  if (problem === undefined) return schema;
  const definitions = Object.fromEntries(DEFINITIONS.flatMap((keyword) => entryOf(schema, keyword)));
  const properties = Object.entries(schemasByName(schema, 'properties')).map(([name, property]) => {
    const alone = { type: 'object', properties: { [name]: property }, ...definitions };
    return [name, problemOf(alone) === undefined ? property : described(property)] as const;
  });
  const reduced = {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: stringsAt(schema, 'required'),
  };
  const { type, required } = reduced;
  const candidates = [reduced, { type, properties: reduced.properties, required, ...definitions }, { type }];
  warn(`its input schema is not valid and is used without the parts in question: ${problem}`);
  return candidates.find((candidate) => problemOf(candidate) === undefined) ?? { type };
}

/** Returns why an environment cannot use a schema; undefined if it can. */
function problemOf(schema: JSONSchema): string | undefined {
  try {
    const { json } = toSchema(schema, 'inputSchema');
    return isObjectSchema(json) ? undefined : 'it does not describe an object';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const entryOf = (schema: JSONSchema, keyword: string): [string, unknown][] =>
  Object.hasOwn(schema, keyword) ? [[keyword, schema[keyword]]] : [];

/** Returns a schema for any value with the description of another one. */
function described(property: unknown): JSONSchema {
  const description = schemasByName({ property } as JSONSchema, 'property').description;
  return typeof description === 'string' ? { description } : {};
}
