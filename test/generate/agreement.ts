import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import ts from 'typescript';
import { isRecord } from '../../src/core/index.ts';
import { generate, writeFiles } from '../../src/generate/index.ts';
import type { Workshop } from './workshop.ts';

/** Schemas by name, as in `components` of an OpenAPI document. */
export type Schemas = Readonly<Record<string, unknown>>;

/** A value, and the schema that it is tried on. */
export interface Trial {
  readonly schema: string;
  readonly value: unknown;
}

/** Verdicts on one value. */
export interface Verdict extends Trial {
  /** Ajv on the document itself. */
  readonly document: boolean;
  /** The generated validator. */
  readonly validator: boolean;
  /** The compiler, on the value as a literal of the generated type. */
  readonly compiler: boolean;
}

const PREFIX = '#/components/schemas/';

/** Kinds of specifications. */
export type Kind = 'openapi' | 'schema';

/** Asks three judges about each value. @throws if generated code does not compile. */
export async function judge(
  shop: Workshop,
  { name, kind, schemas, trials }: { name: string; kind: Kind; schemas: Schemas; trials: readonly Trial[] },
): Promise<Verdict[]> {
  const openapi = { openapi: '3.1.0', info: { title: name, version: '1' }, paths: {}, components: { schemas } };
  const document =
    kind === 'openapi'
      ? JSON.stringify(openapi)
      : JSON.stringify({ $defs: schemas }).replaceAll(`"${PREFIX}`, '"#/$defs/');
  await writeFiles(shop.folder, await generate(await shop.write(`${name}.json`, document)));
  const { validators } = await import(shop.path(`${name}-validators.ts`));
  const header = [
    `import type { Validator, validators } from './${name}-validators.js';`,
    'type Of<V> = { [Name in keyof V]: V[Name] extends Validator<infer T> ? T : never };',
    'type Schemas = Of<typeof validators>;',
  ];
  const lines = trials.map(
    ({ schema, value }, index) =>
      `export const v${index}: Schemas[${JSON.stringify(schema)}] = ${JSON.stringify(value)};`,
  );
  const use = await shop.write(`${name}-use.ts`, [...header, ...lines].join('\n'));
  const rejected = rejectedLines(use);
  const accepts = acceptedBy(schemas);
  return trials.map((trial, index) => ({
    ...trial,
    document: accepts(trial),
    validator: validators[trial.schema](trial.value),
    compiler: !rejected.has(index + header.length),
  }));
}

/** Returns whether Ajv accepts a value by the schemas as they are in the document; false if it does not end. */
export function acceptedBy(schemas: Schemas): (trial: Trial) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'document', components: { schemas } });
  return ({ schema, value }) => {
    try {
      return ajv.getSchema(`document${PREFIX}${encodeURIComponent(schema)}`)?.(value) === true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  };
}

/** Compiles a file, and returns the indices of its lines with errors. @throws if a file that it imports has errors. */
function rejectedLines(file: string): Set<number> {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    skipLibCheck: true,
  });
  const rejected = new Set<number>();
  for (const { file: source, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    if (source?.fileName !== file)
      throw new Error(`${source?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    rejected.add(source.getLineAndCharacterOfPosition(start).line);
  }
  return rejected;
}

/**
 * Rejects properties that a schema does not declare, wherever it declares properties, as types do: for them, an object has no
 * others. Schemas that apply to the same value as another one stay open.
 */
export function withoutUndeclared(schemas: Schemas): Schemas {
  const open = Object.entries(schemas).map(([name, schema]) => [`${name} open`, inner(schema)]);
  const closed = Object.entries(schemas).map(([name, schema]) => [name, outer(schema)]);
  return Object.fromEntries([...open, ...closed]);
}

function inner(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const changed: Record<string, unknown> = { ...schema };
  if (typeof schema.$ref === 'string') {
    const [, name = '', rest = ''] = /^#\/components\/schemas\/([^/]+)(.*)$/.exec(schema.$ref) ?? [];
    changed.$ref = `${PREFIX}${encodeURIComponent(`${decodeURIComponent(name)} open`)}${rest}`;
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) changed[keyword] = parts.map(keyword === 'prefixItems' ? outer : inner);
  }
  for (const keyword of ['items', 'additionalProperties'])
    if (keyword in schema) changed[keyword] = outer(schema[keyword]);
  for (const keyword of ['properties', 'patternProperties']) {
    const parts = schema[keyword];
    if (isRecord(parts))
      changed[keyword] = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, outer(part)]));
  }
  const declares = ['properties', 'required', 'additionalProperties', 'patternProperties'].some(
    (each) => each in schema,
  );
  return declares || schema.type !== 'object' ? changed : { ...changed, additionalProperties: true };
}

const outer = (schema: unknown): unknown => {
  const hasObjects = ['$ref', 'allOf', 'anyOf', 'oneOf', 'properties', 'required'].some(
    (each) => each in Object(schema),
  );
  return isRecord(schema) && hasObjects ? { allOf: [inner(schema)], unevaluatedProperties: false } : inner(schema);
};
