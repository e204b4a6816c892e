import { expect, test } from '@jest/globals';
import { formatTools } from '../../src/client/formats/index.ts';
import type { JSONObject, ToolSpec } from '../../src/protocol/index.ts';
import { describeWithPython, runPlayer } from './python.ts';

const input = (properties: object, more: object = {}): JSONObject =>
  ({ type: 'object', properties, ...more }) as JSONObject;
const Point = { type: 'object', properties: { x: { type: 'integer' } } };
const point = { $ref: '#/$defs/Point' };

/** Inputs as the libraries of Python and TypeScript write them, each with one thing that formats treat differently. */
const SCHEMAS: { readonly [tool: string]: JSONObject | null } = {
  plain: input({ answer: { type: 'string', description: 'The answer.' } }, { required: ['answer'] }),
  nothing: null,
  titled: input({ text: { type: 'string', title: 'Text' } }, { title: 'Input' }),
  named: input({ title: { type: 'string' }, default: { type: 'string' }, not: { type: 'string' } }),
  optional: input({ count: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null } }),
  preset: input({ count: { type: 'integer', default: 5 } }),
  either: input({ id: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
  kinds: input({ id: { type: ['string', 'null'] } }),
  referring: input({ to: point }, { $defs: { Point } }),
  merged: input({ to: { allOf: [{ minProperties: 1 }, { maxProperties: 3 }], type: 'object' } }),
  closed: input(
    { rates: { type: 'object', additionalProperties: { type: 'number' } } },
    { additionalProperties: false },
  ),
  bare: input({ items: { type: 'array' } }),
  levels: input({ level: { type: 'integer', enum: [1, 2] }, kind: { const: 'a' } }),
};

const TOOLS: ToolSpec[] = Object.entries(SCHEMAS).map(([name, input_schema]) => ({
  name,
  description: `Has ${name}.`,
  input_schema,
}));

/** The differences, as `<their format> <tool><path>: ours | theirs`, and why ours is as it is. */
const REASONS: readonly (readonly [difference: RegExp, why: string])[] = [
  [
    /^openai \w+\.strict: false \| -$/,
    'Where strict is left out, the Responses API makes every optional input required.',
  ],
  [
    /^openai nothing\.parameters: .* \| null$/,
    'A tool without parameters is an object without properties; null is not a schema.',
  ],
  [
    /^openrouter \w+\.function\.parameters: .* \| -$/,
    'OpenRouter reads the parameters inside of `function`, as OpenAI does.',
  ],
  [
    /^openrouter \w+\.parameters: - \| .*$/,
    'Beside `function` OpenRouter does not see them: the model would know no input.',
  ],
  [
    /^anthropic \w+\.type: - \| "custom"$/,
    'The default of the type is custom; not every host of these models accepts the field.',
  ],
  [/^google nothing\.parameters: - \| null$/, 'Google documents that they are left out.'],
  [/^\w+ titled\..*title: .* \| -$/, 'A title is allowed in every format.'],
  [
    /^\w+ named\..*properties\.(title|default|not): .* \| -$/,
    'These are names of inputs and no keywords: without them the model cannot call the tool.',
  ],
  [/^openai optional\..*\.count\.anyOf: /, 'anyOf is legal below the top; theirs hides that null is allowed.'],
  [/^openai optional\..*\.count\.type: - \| "integer"$/, 'The type is in anyOf.'],
  [/^openai optional\..*\.count\.default: null \| -$/, 'A default is legal, and ors-sdk drops siblings of anyOf.'],
  [
    /^google optional\..*\.count\.type: "INTEGER" \| -$/,
    'Theirs drops anyOf and leaves a schema without type, which Vertex AI refuses.',
  ],
  [/^google (optional|kinds)\..*\.nullable: true \| -$/, 'Gemini says with nullable that null is allowed.'],
  [
    /^google preset\..*\.description: "JSON Schema: .*default.* \| -$/,
    'The Gemini API ignores a default, so the description tells it to the model.',
  ],
  [/^openai either\..*\.id\.anyOf: /, 'anyOf is legal below the top; theirs keeps the first choice only.'],
  [/^openai either\..*\.id\.type: - \| "string"$/, 'The types are in anyOf.'],
  [
    /^google either\..*\.id\.anyOf: .* \| -$/,
    'Gemini takes anyOf; theirs leaves a schema that says nothing, not even a type.',
  ],
  [/^google kinds\..*\.id\.type: "STRING" \| \["string","null"\]$/, 'Gemini takes one type and no list.'],
  [/^google referring\..*\.to\.(type|properties): .* \| -$/, 'The reference is opened, as the Gemini API knows none.'],
  [/^google referring\..*\.to\.ref: - \| "#\/\$defs\/Point"$/, 'Theirs points to $defs, which it has renamed to defs.'],
  [/^google referring\.parameters\.defs: - \| /, 'Nothing refers to definitions any more.'],
  [
    /^openai merged\..*\.to\.(allOf|type|minProperties): /,
    'allOf is legal below the top; theirs keeps only the first part, and ors-sdk drops siblings of allOf.',
  ],
  [/^google merged\..*\.to\.(min|max)Properties: \d \| -$/, 'Parts that fit together are merged; theirs drops allOf.'],
  [
    /^openai closed\..*additionalProperties: .* \| -$/,
    'additionalProperties is legal, and the only description of the values of a map.',
  ],
  [
    /^google closed\..*\.rates\.description: .* \| -$/,
    'Gemini cannot say what the values of a map are, so the description does.',
  ],
  [/^google bare\..*\.items\.items: .* \| -$/, 'Gemini refuses a list whose items are not described.'],
  [/^google levels\..*\.level\.enum: - \| \[1,2\]$/, 'Gemini refuses enumerations of anything but strings.'],
  [/^google levels\..*\.level\.description: .* \| -$/, 'So the description lists the numbers.'],
  [/^google levels\..*\.kind\.const: - \| "a"$/, 'Gemini does not know const.'],
  [/^google levels\..*\.kind\.(type|enum): .* \| -$/, 'It is an enumeration of one string.'],
];

describeWithPython()('compared with the packages for Python', () => {
  test('every difference of a tool format has a reason, and every reason a difference', async () => {
    const { lines } = await runPlayer('tool_formats_of_python.py', [JSON.stringify(TOOLS)]);

    const differing = lines.flatMap((line) => {
      const [, format = '', json = ''] = /^ok \S+ (\S+) (.*)$/.exec(line) ?? [];
      const theirs: unknown[] = JSON.parse(json);
      return inOurs(format).flatMap((tool, index) =>
        differences(tool, theirs[index], '').map((difference) => `${format} ${TOOLS[index]?.name}${difference}`),
      );
    });

    const reasonsOf = (difference: string) => REASONS.filter(([pattern]) => pattern.test(difference));
    expect(lines).toHaveLength(8);
    expect(differing.filter((difference) => reasonsOf(difference).length !== 1)).toEqual([]);
    expect(REASONS.filter(([pattern]) => !differing.some((difference) => pattern.test(difference)))).toEqual([]);
  });
});

/** The tools in that format of ours which theirs of this name is: their "openai" is that of the Responses API. */
function inOurs(theirs: string): object[] {
  if (theirs === 'openai') return formatTools(TOOLS, 'openai-responses');
  if (theirs === 'openrouter' || theirs === 'anthropic' || theirs === 'google') return formatTools(TOOLS, theirs);
  throw new Error(`the packages for Python have no format ${theirs}`);
}

/** Returns the differences of two values as `.path: ours | theirs`; ignores the case of Google's type names. */
function differences(ours: unknown, theirs: unknown, path: string): string[] {
  if (isObject(ours) && isObject(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    return [...keys].flatMap((key) => differences(ours[key], theirs[key], `${path}.${key}`));
  }
  const same = path.endsWith('.type')
    ? String(ours).toLowerCase() === String(theirs).toLowerCase()
    : equal(ours, theirs);
  return same ? [] : [`${path}: ${JSON.stringify(ours) ?? '-'} | ${JSON.stringify(theirs) ?? '-'}`];
}

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
