import {
  createResolver,
  isJsonType,
  isRecord,
  isSchema,
  type JSONSchema,
  pointerSegment,
  previewJson,
  type SchemaResolver,
  schemasIn,
} from '../../../core/index.ts';
import { assertConforms, assumeApplicable } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import { isPattern } from '../../inputs/compile.ts';
import { listedTools } from './requests.ts';

const FIELDS = ['name', 'description', 'input_schema'];
/** Maximum depth of references and alternatives. */
const MAX_DEPTH = 100;

export const toolChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'discovery/tools',
    title: 'Every tool of /tools has a name, a description and an input_schema that is an object or null',
    requirement: 'ORS-DISC-005',
    async run(probe) {
      for (const { name } of probe.target.environments) {
        const path = probe.path('tools', name);
        const { json } = (await probe.discover('tools', undefined, name)).requireSuccess(`GET ${path}`);
        assertConforms(
          isRecord(json) && Array.isArray(json.tools),
          `GET ${path} returned ${previewJson(json)} instead of an object with an array tools`,
        );
        for (const [index, tool] of json.tools.entries()) {
          assertConforms(isRecord(tool), `tool ${index} of '${name}' is ${previewJson(tool)} instead of an object`);
          assertToolSpec(tool, `tool ${previewJson(tool.name ?? index)} of '${name}'`);
        }
      }
    },
  },
  {
    id: 'discovery/tool-fields',
    title: 'Tools of /tools have no fields other than name, description and input_schema',
    requirement: 'ORS-DISC-006',
    async run(probe) {
      for (const environment of probe.target.environments) {
        for (const tool of await listedTools(probe, environment)) {
          const more = Object.keys(tool).filter((key) => !FIELDS.includes(key));
          const what = `tool ${previewJson(tool.name)} of '${environment.name}'`;
          assertConforms(more.length === 0, `${what} also has ${more.join(', ')}`);
        }
      }
    },
  },
  {
    id: 'discovery/tool-schemas',
    title: 'Every input_schema of /tools that is not null is a valid JSON Schema for an object',
    requirement: 'ORS-DISC-007',
    async run(probe) {
      let count = 0;
      for (const environment of probe.target.environments) {
        for (const { name, input_schema: schema } of await listedTools(probe, environment)) {
          if (!isRecord(schema)) continue;
          count++;
          const problem = schemaProblem(schema);
          const what = `the input_schema of ${previewJson(name)} of '${environment.name}'`;
          assertConforms(!problem, `${what} is not valid: ${problem}`);
        }
      }
      assumeApplicable(count > 0, 'no tool has an input_schema');
    },
  },
  {
    id: 'discovery/tool-names',
    title: 'No two tools of an environment have the same name',
    requirement: 'ORS-DISC-008',
    async run(probe) {
      for (const environment of probe.target.environments) {
        const names = (await listedTools(probe, environment)).map(({ name }) => name);
        const twice = names.find((name, index) => names.indexOf(name) !== index);
        assertConforms(twice === undefined, `/tools of '${environment.name}' lists ${previewJson(twice)} twice`);
      }
    },
  },
]);

/** Asserts the types of the fields of a tool. `what` names it. */
function assertToolSpec(tool: Record<string, unknown>, what: string): void {
  const { name, description, input_schema: schema } = tool;
  assertConforms(typeof name === 'string' && name !== '', `${what} has the name ${previewJson(name)}`);
  assertConforms(typeof description === 'string', `${what} has the description ${previewJson(description)}`);
  const hasSchema = Object.hasOwn(tool, 'input_schema');
  assertConforms(hasSchema, `${what} has no input_schema; it must be null for a tool without parameters`);
  assertConforms(schema === null || isRecord(schema), `${what} has the input_schema ${previewJson(schema)}`);
}

type SchemaTest = (value: unknown) => boolean;

const isString: SchemaTest = (value) => typeof value === 'string';

const isCount: SchemaTest = (value) => Number.isInteger(value) && Number(value) >= 0;

const isListOf =
  (test: SchemaTest): SchemaTest =>
  (value) =>
    Array.isArray(value) && value.every(test);

const isMapOf =
  (test: SchemaTest): SchemaTest =>
  (value) =>
    isRecord(value) && Object.values(value).every(test);

const isOneOrMoreTypes: SchemaTest = (value) => [value].flat().every(isJsonType);

/** Keywords with the form of their values, in the drafts 4 to 2020-12; other keywords are unrestricted. */
const KEYWORDS: readonly (readonly [keywords: string, what: string, test: SchemaTest])[] = [
  ['type', 'the name of a type, or a list of them', isOneOrMoreTypes],
  ['properties patternProperties $defs definitions dependentSchemas', 'an object of schemas', isMapOf(isSchema)],
  ['allOf anyOf oneOf prefixItems', 'an array of schemas', isListOf(isSchema)],
  ['items', 'a schema, or an array of schemas', (value) => isSchema(value) || isListOf(isSchema)(value)],
  [
    'additionalProperties additionalItems not if then else contains propertyNames unevaluatedProperties unevaluatedItems',
    'a schema',
    isSchema,
  ],
  ['required', 'an array of strings', isListOf(isString)],
  ['enum', 'an array', Array.isArray],
  ['$ref $id $schema title description format', 'a string', isString],
  ['pattern', 'a regular expression', (value) => typeof value === 'string' && isPattern(value)],
  ['minimum maximum', 'a number', (value) => typeof value === 'number'],
  ['exclusiveMinimum exclusiveMaximum', 'a number', (value) => ['number', 'boolean'].includes(typeof value)],
  ['multipleOf', 'a number above 0', (value) => typeof value === 'number' && value > 0],
  [
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
    'a non-negative integer',
    isCount,
  ],
  ['uniqueItems', 'a boolean', (value) => typeof value === 'boolean'],
];

const TESTS = new Map(
  KEYWORDS.flatMap(([names, what, test]) => names.split(' ').map((name) => [name, { what, test }])),
);

/** Returns why a value is not a JSON Schema that objects can match; undefined if it is one. */
export function schemaProblem(root: JSONSchema): string | undefined {
  const resolver = createResolver(root);
  for (const { schema, pointer } of schemasIn(root)) {
    for (const [keyword, value] of Object.entries(schema)) {
      const rule = TESTS.get(keyword);
      if (rule && !rule.test(value)) {
        return `${pointer}${pointerSegment(keyword)} is not ${rule.what} but ${previewJson(value)}`;
      }
    }
    const { $ref: reference } = schema;
    if (isPointer(reference) && !resolver.resolve(reference, schema))
      return `${pointer}/$ref does not resolve: ${reference}`;
  }
  return allowsObjects(root, resolver, new Map(), 0) ? undefined : `no object can match it: ${previewJson(root)}`;
}

/** Returns whether a reference is a JSON pointer. Other references may be anchors. */
const isPointer = (reference: unknown): reference is string =>
  typeof reference === 'string' && reference.startsWith('#/');

/** @param known results by schema; true while a schema is being visited, which ends cycles */
function allowsObjects(
  schema: unknown,
  resolver: SchemaResolver,
  known: Map<unknown, boolean>,
  depth: number,
): boolean {
  if (!isRecord(schema) || depth > MAX_DEPTH) return schema !== false;
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, true);
  const { type, $ref: reference, allOf, anyOf, oneOf } = schema;
  const allows = (inner: unknown) => allowsObjects(inner, resolver, known, depth + 1);
  const result =
    (type === undefined || [type].flat().includes('object')) &&
    (!isPointer(reference) || allows(resolver.resolve(reference, schema)?.schema)) &&
    (!Array.isArray(allOf) || allOf.every(allows)) &&
    [anyOf, oneOf].every((choices) => !Array.isArray(choices) || choices.some(allows));
  known.set(schema, result);
  return result;
}
