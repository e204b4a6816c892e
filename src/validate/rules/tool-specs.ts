import {
  asSchema,
  createResolver,
  flattenSchema,
  type JSONSchema,
  joinWords,
  listAt,
  localizeSchema,
  plural,
  propertiesOf,
  schemasIn,
} from '../../core/index.ts';
import type { ToolSpec } from '../../protocol/index.ts';
import { noTools } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';

/** Pattern of OpenAI and Anthropic. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const PYTHON_IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const PYTHON_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield self'
  ).split(' '),
);
/** Keywords that strict function calling of at least one large provider rejects. */
const REJECTED_KEYWORDS = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'minProperties',
  'maxProperties',
  'prefixItems',
  'unevaluatedItems',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  '$dynamicRef',
];
/** Maximum numbers of parameters and of keywords in a message. */
const MAX_PARAMETERS = 8;
const MAX_KEYWORDS = 4;

export const toolSpecRules: readonly ValidationRule[] = [
  {
    name: 'tool-names-for-models',
    levels: ['warning'],
    sentence: 'Model providers accept the names of the tools: up to 64 letters, digits, `_` and `-`',
    explanation:
      'Providers reject a request with a tool name that they do not allow. Use up to 64 letters, digits, ' +
      "'_' and '-'.",
    untested: noTools,
    *check({ tools }) {
      for (const name of tools.keys()) {
        if (TOOL_NAME.test(name)) continue;
        yield { message: `providers reject the tool name '${name}'; use up to 64 letters, digits, '_' and '-'` };
      }
    },
  },
  {
    name: 'names-for-python',
    levels: ['warning'],
    sentence: 'The names of tools and parameters are valid Python identifiers, as TRL needs',
    explanation:
      'TRL creates a Python method for each tool, with its parameters as arguments. Rename what is not a ' +
      'valid Python identifier.',
    untested: noTools,
    *check({ tools }) {
      for (const [tool, spec] of tools) {
        const names = [
          { name: tool, subject: `the tool name '${tool}'`, kind: 'method' },
          ...toolParameters(spec).map(({ name }) => {
            return { name, subject: `the parameter '${name}' of '${tool}'`, kind: 'argument' };
          }),
        ];
        for (const { name, subject, kind } of names) {
          const problem = pythonProblem(name);
          if (problem) yield { message: `${subject} ${problem}; rename it, since TRL creates a Python ${kind} of it` };
        }
      }
    },
  },
  {
    name: 'things-are-described',
    levels: ['warning'],
    sentence: 'Tools and their parameters have descriptions, as Inspect needs',
    explanation:
      'Models choose tools by their descriptions, and Inspect rejects a tool without them. Add a ' +
      'description to the tool and to each parameter.',
    untested: noTools,
    *check({ tools }) {
      for (const [name, tool] of tools) {
        if (tool.description.trim() === '') {
          yield { message: `the tool '${name}' has no description; add one, since models choose tools by it` };
        }
        const undescribed = toolParameters(tool).flatMap((each) => (each.isDescribed ? [] : `'${each.name}'`));
        if (undescribed.length === 0) continue;
        const names = joinWords(undescribed, { max: MAX_PARAMETERS });
        const advice = 'add .describe(...) or "description", since Inspect rejects the tool otherwise';
        yield { message: `the tool '${name}' does not describe ${names}; ${advice}` };
      }
    },
  },
  {
    name: 'schemas-are-strict',
    levels: ['warning'],
    sentence: "The schemas of tools have no keyword that providers' strict modes reject",
    explanation:
      'Strict modes of providers guarantee valid calls, but reject some keywords. Put such a constraint ' +
      'into the description, and check it in the tool.',
    untested: noTools,
    *check({ tools }) {
      for (const [name, { input_schema: root }] of tools) {
        const uses = Array.from(schemasIn(root)).flatMap(({ pointer, schema }) => [
          ...REJECTED_KEYWORDS.filter((keyword) => keyword in schema).map((keyword) => `${pointer}/${keyword}`),
          ...(pointer === '' && 'anyOf' in schema ? ['/anyOf'] : []),
        ]);
        if (uses.length === 0) continue;
        const more = uses.length > MAX_KEYWORDS ? `, and ${plural(uses.length - MAX_KEYWORDS, 'more place')}` : '';
        const where = uses.slice(0, MAX_KEYWORDS).join(', ') + more;
        const advice = 'put the constraint into the description, and check it in the tool';
        yield { message: `strict modes reject the schema of '${name}' because of ${where}; ${advice}` };
      }
    },
  },
];

function pythonProblem(name: string): string | undefined {
  if (!PYTHON_IDENTIFIER.test(name)) return 'is not a valid Python identifier';
  return PYTHON_KEYWORDS.has(name) ? 'is a Python keyword' : undefined;
}

/** Maximum number of schemas that one parameter is merged from. */
const MAX_MERGED = 1_000;

/**
 * Returns the parameters of a tool, including those behind references and in alternatives. A parameter is described if it
 * has a description, or all of its alternatives have one.
 */
function toolParameters({ input_schema: schema }: ToolSpec) {
  const root = localizeSchema(schema ?? {});
  const resolver = createResolver(root);
  const flat = (part: unknown): JSONSchema => flattenSchema(asSchema(part), resolver, { left: MAX_MERGED }).schema;
  const isDescribed = ({ description, ...rest }: JSONSchema): boolean => {
    if (typeof description === 'string' && description.trim() !== '') return true;
    const alternatives = [...listAt(rest, 'anyOf'), ...listAt(rest, 'oneOf')].map(flat);
    return alternatives.length > 0 && alternatives.every((each) => typeof each.description === 'string');
  };
  return propertiesOf(root, resolver).map((property) => ({
    name: property.name,
    isDescribed: isDescribed(flat(property.schema)),
  }));
}
