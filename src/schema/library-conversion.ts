import {
  checkValue,
  type JSONSchema,
  type JSONValue,
  mapSchemas,
  pointerSegment,
  schemasByName,
} from '../core/index.ts';
import { describeIssues } from './describe-issues.ts';
import { patternWithoutFlags } from './pattern-without-flags.ts';
import { issuesOf, type ValueIssue } from './schema.ts';
import { type StandardProps, toSchemaValidation } from './standard-schema.ts';

/** How a schema of one library is converted to JSON Schema, and what the conversion finds. */
interface LibraryConversion {
  readonly libraryOptions?: { readonly [option: string]: unknown };
  /** Regular expressions of the schema. The JSON Schema has them without their flags. */
  readonly patterns: Iterable<RegExp>;
  /** Sentences about defaults that the library itself refuses. */
  readonly problems: readonly string[];
  /** True if `problems` is complete: a default may be valid for the library, and not for the JSON Schema. */
  readonly judgesDefaults: boolean;
}

export function startConversion({ vendor }: StandardProps, schema: object): LibraryConversion {
  if (vendor === 'zod') return zodConversion();
  const others = { problems: [], judgesDefaults: false };
  if (vendor === 'valibot') return { ...valibotConversion(), ...others };
  if (vendor === 'arktype') return { ...arktypeConversion(schema), ...others };
  return { patterns: [], ...others };
}

/** Replaces the patterns of regular expressions with flags by equal ones without flags. @throws TypeError */
export function withoutFlags(json: JSONSchema, patterns: Iterable<RegExp>): JSONSchema {
  const shown = new Map<string, string>();
  for (const pattern of patterns) {
    const plain = patternWithoutFlags(pattern);
    if (plain !== pattern.source) shown.set(pattern.source, plain);
  }
  if (shown.size === 0) return json;
  const plainOf = (pattern: string): string => shown.get(pattern) ?? pattern;
  return mapSchemas(json, (schema) => {
    const named = Object.entries(schemasByName(schema, 'patternProperties'));
    return {
      ...schema,
      ...(typeof schema.pattern === 'string' && { pattern: plainOf(schema.pattern) }),
      ...(named.length > 0 && {
        patternProperties: Object.fromEntries(named.map(([pattern, each]) => [plainOf(pattern), each])),
      }),
    };
  });
}

/** Returns a sentence about a default that its schema refuses. */
export const invalidDefault = (pointer: string, issues: readonly ValueIssue[]): string =>
  `its default ${pointer}/default is not valid: ${describeIssues(issues)}; correct or remove it`;

/** Parts of zod's schemas and checks that are read here. */
interface ZodSchema {
  readonly _zod: {
    readonly def: {
      readonly type?: string;
      readonly innerType?: { readonly '~standard': StandardProps };
      readonly pattern?: unknown;
      readonly checks?: readonly { readonly _zod: { readonly def: { readonly pattern?: unknown } } }[];
    };
    readonly bag?: { readonly patterns?: Iterable<unknown> };
  };
}

interface ZodOverrideContext {
  readonly zodSchema: ZodSchema;
  readonly jsonSchema: Record<string, unknown>;
  readonly path?: readonly PropertyKey[];
}

function zodConversion(): LibraryConversion {
  const patterns = new Set<RegExp>();
  const problems: string[] = [];
  const override = ({ zodSchema, jsonSchema, path = [] }: ZodOverrideContext): void => {
    const { def, bag } = zodSchema._zod;
    const found = [def.pattern, ...(def.checks ?? []).map((check) => check._zod.def.pattern), ...(bag?.patterns ?? [])];
    for (const pattern of found) if (pattern instanceof RegExp) patterns.add(pattern);
    if (!('default' in jsonSchema)) return;
    const issues = issuesOfDefault(def, jsonSchema.default);
    if (issues.length > 0) problems.push(invalidDefault(path.map(pointerSegment).join(''), issues));
    // A default that only coercion accepts would contradict the type that models see.
    else if (checkValue(jsonSchema, jsonSchema.default as JSONValue).length > 0) delete jsonSchema.default;
  };
  return { libraryOptions: { override }, patterns, problems, judgesDefaults: true };
}

/** Returns why the schema refuses its own default, which zod adds without validation. Unknown for asynchronous schemas. */
function issuesOfDefault({ type, innerType }: ZodSchema['_zod']['def'], value: unknown): readonly ValueIssue[] {
  if (!innerType || (type !== 'default' && type !== 'prefault' && type !== 'catch')) return [];
  const result = innerType['~standard'].validate?.(value) ?? { value };
  if (!('then' in result)) return issuesOf(toSchemaValidation(result));
  result.then(undefined, () => undefined);
  return [];
}

interface ValibotActionContext {
  readonly valibotAction: { readonly type: string; readonly requirement?: unknown };
  readonly jsonSchema: object;
}

/** Valibot cannot convert actions such as `check`. They are omitted in the JSON Schema, but applied to values. */
function valibotConversion(): Pick<LibraryConversion, 'libraryOptions' | 'patterns'> {
  const patterns = new Set<RegExp>();
  const overrideAction = ({ valibotAction: { requirement }, jsonSchema }: ValibotActionContext): object => {
    if (requirement instanceof RegExp) patterns.add(requirement);
    return jsonSchema;
  };
  return { libraryOptions: { overrideAction }, patterns };
}

/** Without these options, ArkType shows a type that JSON cannot represent as a schema for all values. */
function arktypeConversion(schema: object): Pick<LibraryConversion, 'libraryOptions' | 'patterns'> {
  const reject = (name: string) => {
    throw new TypeError(`${name} cannot be represented`);
  };
  const fallback = {
    date: () => reject('Date'),
    domain: ({ domain }: { readonly domain: string }) => reject(domain),
    proto: ({ proto }: { readonly proto: { readonly name: string } }) => reject(proto.name),
    symbolKey: () => reject('a symbol key'),
    // A property may be undefined, which means that it is absent.
    unit: ({ unit }: { readonly unit: unknown }) => (unit === undefined ? { not: {} } : reject(String(unit))),
  };
  return { libraryOptions: { fallback }, patterns: arktypePatterns(schema) };
}

function arktypePatterns(schema: object): readonly RegExp[] {
  const select = 'select' in schema && typeof schema.select === 'function' ? schema.select.bind(schema) : undefined;
  const nodes: unknown = select?.('pattern');
  const found = Array.isArray(nodes) ? nodes : [];
  return found
    .map((node: unknown) => (node as { instance?: unknown }).instance)
    .filter((each) => each instanceof RegExp);
}
