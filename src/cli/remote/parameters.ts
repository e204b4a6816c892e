import { isRecord } from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import { choicesOf, type Effort, followed, newEffort, within } from './schema-types.ts';
import { typeText } from './type-text.ts';

/** A parameter of a tool. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** For people. */
  readonly type: string;
  readonly description: string;
  /** undefined where there is none. */
  readonly default: JSONValue | undefined;
  /** The only values that it may have; undefined where that is not said. */
  readonly choices: readonly JSONValue[] | undefined;
  readonly schema: unknown;
}

interface Property {
  readonly schema: unknown;
  readonly required: boolean;
}

/** The parameters that an input_schema names, in its order; those of unions of objects included. */
export function parametersOf(inputSchema: JSONObject | null): Parameter[] {
  if (inputSchema === null) return [];
  return [...propertiesOf(inputSchema, inputSchema, newEffort())].map(([name, { schema, required }]) => {
    const known = followed(schema, inputSchema) ?? {};
    return {
      name,
      required,
      type: typeText(schema, inputSchema),
      description: typeof known.description === 'string' ? known.description : '',
      default: known.default,
      choices: choicesOf(schema, inputSchema),
      schema,
    };
  });
}

function propertiesOf(schema: unknown, root: JSONObject, effort: Effort): Map<string, Property> {
  const { properties, required, allOf, anyOf, oneOf } = followed(schema, root) ?? {};
  const needed = Array.isArray(required) ? required : [];
  const own = Object.entries(isRecord(properties) ? properties : {});
  const all = new Map<string, Property>(
    own.map(([name, property]) => [name, { schema: property, required: needed.includes(name) }]),
  );
  const parts = (list: unknown) =>
    within(effort, () => (Array.isArray(list) ? list : []).map((part) => propertiesOf(part, root, effort)), []);
  for (const part of parts(allOf)) for (const [name, property] of part) if (!all.has(name)) all.set(name, property);
  for (const options of [parts(anyOf), parts(oneOf)]) {
    for (const name of new Set(options.flatMap((option) => [...option.keys()]))) {
      if (!all.has(name)) all.set(name, oneOfSeveral(options.map((option) => option.get(name))));
    }
  }
  return all;
}

/** What a property is that each option of a union describes in its own way, or not at all. */
function oneOfSeveral(options: readonly (Property | undefined)[]): Property {
  const there = options.filter((option) => option !== undefined);
  const required = there.length === options.length && there.every((option) => option.required);
  const [first] = there;
  return { required, schema: there.length === 1 ? first?.schema : { anyOf: there.map(({ schema }) => schema) } };
}

/** The schema of a key in a tool's input: of the parameter, or what is said of all others; undefined where nothing is. */
export function schemaOfKey(key: string, parameters: readonly Parameter[], inputSchema: JSONObject | null): unknown {
  const named = parameters.find(({ name }) => name === key);
  return named ? named.schema : followed(inputSchema, inputSchema ?? {})?.additionalProperties;
}
