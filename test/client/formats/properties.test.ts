import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { formatTools, type GoogleSchema, restoreCall, type ToolFormat } from '../../../src/client/formats/index.ts';
import type { JSONObject, ToolSpec } from '../../../src/protocol/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { names, plainNames, schemas, values } from './arbitrary-schemas.ts';
import { violations } from './rules.ts';

const RUNS = runs(50);

const FORMATS: readonly ToolFormat[] = ['openai', 'openai-responses', 'anthropic', 'google', 'openrouter', 'mcp'];

const tool = (input_schema: object, name = 'tool'): ToolSpec => ({
  name,
  description: 'A tool.',
  input_schema: input_schema as JSONObject,
});

test.each(FORMATS)('%s: any schema becomes a tool that follows the rules of the provider', (format) => {
  fc.assert(
    fc.property(schemas(names), fc.string(), (schema, name) => {
      const [formatted] = formatTools([tool(schema, name)], format);

      expect(formatted && violations(format, formatted)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test.each(['openai', 'anthropic', 'mcp'] as const)(
  '%s: leaves a schema that the provider accepts unchanged',
  (format) => {
    const schemaOf = (input: object): object | undefined => {
      const [formatted] = formatTools([tool(input)], format);
      return (
        formatted &&
        ('function' in formatted
          ? formatted.function.parameters
          : 'input_schema' in formatted
            ? formatted.input_schema
            : formatted.inputSchema)
      );
    };
    fc.assert(
      fc.property(schemas(plainNames, ['#/$defs/One', '#/$defs/Two']), (schema) => {
        const taken = schemaOf(schema) ?? {};

        expect(schemaOf(taken)).toEqual(taken);
        if (violations(format, formattedBy(format, schema)).length === 0) expect(taken).toEqual(schema);
      }),
      { numRuns: RUNS },
    );
  },
);

/** Returns the tool in the format of the provider, with its schema unchanged. */
function formattedBy(format: 'openai' | 'anthropic' | 'mcp', schema: object): never {
  const parameters = schema;
  const tools = {
    openai: { type: 'function', function: { name: 'tool', parameters } },
    anthropic: { name: 'tool', input_schema: schema },
    mcp: { name: 'tool', inputSchema: schema },
  };
  // It may violate the rules, which the caller checks.
  return tools[format] as never;
}

test('google: the declared schema allows every input that the environment accepts', () => {
  let taken = 0;
  const inputs = fc.array(values, { minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(schemas(plainNames, ['#/$defs/One', '#/$defs/Two']), inputs, (schema, tries) => {
      const input = { type: 'object', properties: { value: schema }, $defs: schema.$defs };
      const [declared] = formatTools([tool(input)], 'google');
      const shown = declared?.parameters?.properties?.value;
      const takes = validator(input);

      const good = tries.filter((value) => shown !== undefined && takes({ value }));

      taken += good.length;
      expect(good.filter((value) => shown !== undefined && !allows(shown, value))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  // The property holds trivially for inputs that the environment rejects.
  expect(taken).toBeGreaterThan(5);
});

test.each(FORMATS)('%s: restores the names of the environment in a call', (format) => {
  const toolNames = fc.uniqueArray(fc.oneof(names, fc.constantFrom('a.b', 'a b', 'a_b', 'a_b_2', '1')), {
    minLength: 1,
    maxLength: 5,
  });
  const inputNames = fc.uniqueArray(fc.oneof(names, fc.constantFrom('a.b', 'a b', 'a_b', 'a_b_2')), { maxLength: 5 });
  fc.assert(
    fc.property(toolNames, inputNames, (ofTools, ofInputs) => {
      const properties = Object.fromEntries(ofInputs.map((name) => [name, { type: 'string' }]));
      const tools = ofTools.map((name) => tool({ type: 'object', properties }, name));
      const formatted = formatTools(tools, format);
      const written = formatted.map((one) => {
        const { name, parameters } = 'function' in one ? one.function : { parameters: undefined, ...one };
        const schema =
          parameters ?? ('input_schema' in one ? one.input_schema : 'inputSchema' in one ? one.inputSchema : {});
        const input = Object.fromEntries(Object.keys(schema.properties ?? {}).map((key, place) => [key, place]));
        return { name, input };
      });

      const restored = written.map((call) => restoreCall(call, tools, format));

      expect(new Set(written.map(({ name }) => name)).size).toBe(tools.length);
      expect(restored.map(({ name }) => name)).toEqual(ofTools);
      for (const { input } of restored) expect(Object.keys(input).sort()).toEqual([...ofInputs].sort());
    }),
    { numRuns: RUNS },
  );
});

/** Returns a validator that rejects everything if the schema is invalid or refers to itself endlessly. */
function validator(schema: object): (value: unknown) => boolean {
  try {
    const validate = new Ajv2020({ strict: false, logger: false, validateFormats: false, meta: false }).compile(schema);
    return (value) => {
      try {
        return validate(value) === true;
      } catch {
        return false;
      }
    };
  } catch {
    return () => false;
  }
}

/** Returns true if a Gemini schema allows the value. */
function allows(schema: GoogleSchema, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((choice) => allows(choice, value));
  if (value === null) return schema.nullable === true;
  if (typeof value === 'string') return schema.type === 'STRING' && (schema.enum?.includes(value) ?? true);
  if (typeof value === 'boolean') return schema.type === 'BOOLEAN';
  if (typeof value === 'number') {
    const { type, minimum = -Infinity, maximum = Infinity } = schema;
    return (
      (type === 'NUMBER' || (type === 'INTEGER' && Number.isInteger(value))) && value >= minimum && value <= maximum
    );
  }
  if (Array.isArray(value)) {
    const { type, items = {}, maxItems = Infinity } = schema;
    return type === 'ARRAY' && value.length <= maxItems && value.every((item) => allows(items, item));
  }
  const { type, properties = {}, required = [] } = schema;
  const fields = Object.entries(value as object);
  const known = fields.every(
    ([name, field]) => !Object.hasOwn(properties, name) || allows(properties[name] ?? {}, field),
  );
  return type === 'OBJECT' && known && required.every((name) => Object.hasOwn(value as object, name));
}
