import { Ajv2020 } from 'ajv/dist/2020.js';
import type { GoogleSchema, ToolFormat, ToolFormats } from '../../../src/client/formats/index.ts';

/** Returns the published rules of a provider that a tool violates, as sentences. */
export function violations<F extends ToolFormat>(format: F, tool: ToolFormats[F]): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, sentence: string): void => {
    if (!holds) broken.push(sentence);
  };
  RULES[format](tool, must);
  return broken;
}

type Must = (holds: boolean, sentence: string) => void;
type Json = { readonly [key: string]: unknown };

const RULES: { readonly [F in ToolFormat]: (tool: ToolFormats[F], must: Must) => void } = {
  openai: openAI,
  openrouter: (tool, must) => {
    openAI(tool, must);
    must(/^[a-zA-Z_]/.test(tool.function.name), `the name ${tool.function.name} starts with a letter`);
    inputNames(tool.function.parameters, /^[a-zA-Z0-9_.-]{1,64}$/, must);
  },
  'openai-responses': (tool, must) => {
    const { type, name, description = '-', parameters, strict, ...more } = tool;
    must(strict === false, 'strict is said');
    must(Object.keys(more).length === 0, 'no other field');
    openAI({ type, function: { name, description, parameters } }, must);
  },
  anthropic: ({ name, description = '-', input_schema, ...more }, must) => {
    must(Object.keys(more).length === 0, 'no other field');
    must(/^[a-zA-Z0-9_-]{1,64}$/.test(name), `the name ${name}`);
    must(description !== '', 'a description that is not empty');
    jsonSchema(input_schema, must);
    for (const keyword of ['anyOf', 'oneOf', 'allOf'])
      must(!Object.hasOwn(input_schema, keyword), `no ${keyword} at the top`);
    inputNames(input_schema, /^[a-zA-Z0-9_.-]{1,64}$/, must);
  },
  google: ({ name, description = '-', parameters, ...more }, must) => {
    must(Object.keys(more).length === 0, 'no other field');
    must(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name), `the name ${name}`);
    must(description !== '', 'a description that is not empty');
    if (parameters === undefined) return;
    must(parameters.type === 'OBJECT' && parameters.anyOf === undefined, 'an object at the top');
    inputNames(parameters, /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, must);
    google(parameters, must, 0);
  },
  mcp: ({ name, description = '-', inputSchema, ...more }, must) => {
    must(Object.keys(more).length === 0, 'no other field');
    must(/^[a-zA-Z0-9_.-]{1,128}$/.test(name), `the name ${name}`);
    must(description !== '', 'a description that is not empty');
    jsonSchema(inputSchema, must);
    const properties = Object.values(inputSchema.properties ?? {});
    must(
      properties.every((schema) => typeof schema === 'object' && schema !== null),
      'properties are objects',
    );
  },
};

function openAI(tool: ToolFormats['openai'], must: Must): void {
  const { name, description = '-', parameters, ...more } = tool.function;
  must(tool.type === 'function' && Object.keys(more).length === 0, 'no other field');
  must(/^[a-zA-Z0-9_-]{1,64}$/.test(name), `the name ${name}`);
  must(description !== '' && description.length <= 1024, 'a description of 1 to 1024 characters');
  jsonSchema(parameters, must);
  must(isObject(parameters.properties), 'properties at the top');
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']) {
    must(!Object.hasOwn(parameters, keyword), `no ${keyword} at the top`);
  }
  everySchema(parameters, (schema) => {
    const isArray = schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'));
    must(!isArray || Object.hasOwn(schema, 'items'), 'items of every array');
  });
}

function inputNames(schema: { properties?: object }, pattern: RegExp, must: Must): void {
  for (const name of Object.keys(schema.properties ?? {})) must(pattern.test(name), `the input's name ${name}`);
}

const ajv = new Ajv2020({ strict: false, logger: false });

/** Validates that a schema is JSON Schema 2020-12 of an object without dangling references. */
function jsonSchema(schema: Json, must: Must): void {
  must(schema.type === 'object', 'an object at the top');
  must(ajv.validateSchema(schema) === true, `JSON Schema 2020-12: ${ajv.errorsText(ajv.errors)}`);
  everySchema(schema, ({ $ref }) => {
    if (typeof $ref !== 'string') return;
    const keys = $ref.split('/').slice(1);
    let found: unknown = schema;
    for (const key of keys) found = isObject(found) || Array.isArray(found) ? Reflect.get(found, key) : undefined;
    must($ref.startsWith('#') && found !== undefined, `a schema at ${$ref}`);
  });
}

const STRUCTURE = {
  STRING: ['enum', 'format', 'minLength', 'maxLength', 'pattern'],
  NUMBER: ['format', 'minimum', 'maximum'],
  INTEGER: ['format', 'minimum', 'maximum'],
  BOOLEAN: [],
  ARRAY: ['items', 'minItems', 'maxItems'],
  OBJECT: ['properties', 'required', 'minProperties', 'maxProperties'],
} as const;
const FORMATS = ['date-time', 'float', 'double', 'int32', 'int64'];

/** Validates a schema by the rules of the Gemini API and Vertex AI. */
function google(schema: GoogleSchema, must: Must, depth: number): void {
  must(depth < 32, 'no deep nesting');
  if (schema.anyOf !== undefined) {
    must(Object.keys(schema).length === 1 && schema.anyOf.length > 1, 'anyOf of several, on its own');
    for (const choice of schema.anyOf) google(choice, must, depth + 1);
    return;
  }
  const { type } = schema;
  must(type !== undefined, `a type in ${JSON.stringify(schema)}`);
  if (type === undefined) return;
  const known: readonly string[] = ['type', 'title', 'description', 'nullable', ...STRUCTURE[type]];
  for (const keyword of Object.keys(schema)) must(known.includes(keyword), `no ${keyword} in a schema of ${type}`);
  must(schema.nullable === undefined || schema.nullable, 'nullable is true');
  must(
    schema.enum === undefined ||
      (schema.enum.length > 0 && schema.enum.every((value) => value !== '' && typeof value === 'string')),
    'strings in enum',
  );
  must(schema.format === undefined || FORMATS.includes(schema.format), `the format ${schema.format}`);
  must(type !== 'ARRAY' || schema.items !== undefined, 'items of every array');
  if (schema.items !== undefined) google(schema.items, must, depth + 1);
  const { properties = {}, required = [] } = schema;
  must(
    required.every((name) => Object.hasOwn(properties, name)),
    'required properties are declared',
  );
  must(schema.properties === undefined || Object.keys(properties).length > 0, 'no empty properties');
  for (const property of Object.values(properties)) google(property, must, depth + 1);
}

/** Visits each schema of a document, skipping names of properties. */
function everySchema(schema: unknown, visit: (schema: Json) => void): void {
  if (!isObject(schema)) return;
  visit(schema);
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
    for (const child of Array.isArray(schema[keyword]) ? schema[keyword] : []) everySchema(child, visit);
  }
  for (const keyword of ['items', 'not', 'if', 'then', 'else', 'contains', 'additionalProperties', 'propertyNames']) {
    everySchema(schema[keyword], visit);
  }
  for (const keyword of ['properties', '$defs', 'definitions', 'patternProperties']) {
    const named = schema[keyword];
    if (isObject(named)) for (const child of Object.values(named)) everySchema(child, visit);
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
