import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import {
  createResolver,
  errorCode,
  errorMessage,
  fieldsOf,
  findCircularReference,
  hasCode,
  isRecord,
  loadOptionalPackage,
  schemasIn,
  withoutByteOrderMark,
} from '../core/index.ts';

/** Violations of OpenAPI that are not ambiguous; Boolean schemas, which 3.1 allows; the type `null`, which others write in 3.0. */
const HARMLESS = new RegExp(
  [
    'is not expected here',
    '`nullable` field is used',
    'Expected type `Schema` \\(object\\) but got `(boolean|null)`',
    '`type` can be one of the following only',
  ].join('|'),
);

/** Pointer of a mapping, whose values may also be names of schemas. It changes no type. */
const MAPPING = /\/discriminator\/mapping\/[^/]*$/;

const SCHEMA_KEYWORDS = ['$schema', '$defs', 'definitions', 'properties', 'type', 'allOf', 'anyOf', 'oneOf', 'enum'];

/**
 * Files cannot be generated; the message is meant for the user.
 *
 * @example
 * if (error instanceof GenerateError) console.error(error.message);
 */
export class GenerateError extends Error {
  override readonly name = 'GenerateError';
}

/** JSON object whose members are not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parsed specification. */
export interface LoadedSpec {
  readonly kind: 'openapi' | 'schema';
  /** File name without extensions: `ors` of `spec/ors.openapi.yaml`. */
  readonly name: string;
  /** File name for headers. */
  readonly file: string;
  /** Document with all references to files resolved. */
  readonly document: JsonObject;
}

/**
 * Reads an OpenAPI 3 document or a JSON Schema, as YAML or JSON; detects the kind by the content.
 *
 * @throws GenerateError if the file cannot be read or parsed, or is of another kind.
 */
export async function loadSpec(path: string): Promise<LoadedSpec> {
  const file = basename(path);
  const name = file.replace(/\.(ya?ml|json)$/i, '').replace(/\.(openapi|schema)$/i, '');
  const text = await read(path);
  const document = await parse(path, text);
  if ('swagger' in document) {
    throw new GenerateError(`this is Swagger ${document.swagger}; convert it to OpenAPI 3.1 first`);
  }
  const circular = findCircularReference(document);
  if (circular !== undefined) throw new GenerateError(`the $ref at ${circular} leads back to itself`);
  if ('openapi' in document) return { kind: 'openapi', name, file, document: await bundled(path, text, document) };
  if (!SCHEMA_KEYWORDS.some((keyword) => keyword in document)) {
    throw new GenerateError("neither an OpenAPI document (no 'openapi') nor a JSON Schema (no '$defs')");
  }
  const resolver = createResolver(document);
  for (const { schema } of schemasIn(document)) {
    const { $ref } = schema;
    if (typeof $ref !== 'string' || $ref.startsWith('#') || resolver.resolve($ref, schema)) continue;
    throw new GenerateError(`it refers to ${$ref}; move that schema to $defs of the same file`);
  }
  return { kind: 'schema', name, file, document };
}

async function read(path: string): Promise<string> {
  try {
    return withoutByteOrderMark(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = hasCode(error, 'ENOENT') ? 'the file does not exist' : (errorCode(error) ?? errorMessage(error));
    throw new GenerateError(`cannot be read: ${reason}`, { cause: error });
  }
}

async function parse(path: string, text: string): Promise<JsonObject> {
  const { parseYaml } = await redocly();
  let document: unknown;
  try {
    document = /\.json$/i.test(path) ? JSON.parse(text) : parseYaml(text);
  } catch (error) {
    const [line] = errorMessage(error).split('\n');
    throw new GenerateError(`cannot be parsed: ${line}`, { cause: error });
  }
  if (!isRecord(document)) {
    throw new GenerateError('does not contain an object; an OpenAPI document begins with openapi: 3.1.0');
  }
  return document;
}

async function bundled(path: string, text: string, { openapi, ...rest }: JsonObject): Promise<JsonObject> {
  if (typeof openapi !== 'string' || !/^3\.[01]\b/.test(openapi)) {
    throw new GenerateError(`unsupported version: expected openapi 3.0 or 3.1, got ${openapi}`);
  }
  const { BaseResolver, bundleDocument, createConfig, lintDocument, Source } = await redocly();
  const ref = resolve(path);
  const { styleguide: config, resolve: http } = await createConfig({
    rules: { struct: 'error', 'no-unresolved-refs': 'error' },
  });
  class Resolver extends BaseResolver {
    override parseDocument(...args: Parameters<InstanceType<typeof BaseResolver>['parseDocument']>) {
      const document = super.parseDocument(...args);
      return { ...document, parsed: markInherited(document.parsed) };
    }
  }
  const externalRefResolver = new Resolver(http);
  const document = { source: new Source(ref, text), parsed: markInherited({ openapi, ...rest }) };
  // Files that the document refers to may refer to it.
  externalRefResolver.cache.set(ref, Promise.resolve(document));
  const problems = await lintDocument({ document, config, externalRefResolver });
  const problem = problems.find(
    ({ message, location }) => !HARMLESS.test(message) && !MAPPING.test(location[0]?.pointer ?? ''),
  );
  if (problem) {
    const [location] = problem.location;
    const file = location && location.source.absoluteRef !== ref ? `${basename(location.source.absoluteRef)} ` : '';
    const message = `${problem.message.replace(/\.$/, '')}, at ${file}${location?.pointer}`;
    throw new GenerateError(message.replaceAll(MARK, ''));
  }
  return fieldsOf(renameKeys((await bundleDocument({ document, config, externalRefResolver })).bundle.parsed, unmark));
}

/** Marks keys that redocly would take for properties of its internal tables, such as `valueOf`. */
const MARK = '\uE000';
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__'));

const markInherited = (value: unknown): unknown => renameKeys(value, (key) => (INHERITED.has(key) ? MARK + key : key));

const unmark = (key: string): string => key.replace(MARK, '').replace(encodeURIComponent(MARK), '');

/** Copies a document with other keys, also in its references. */
function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      rename(key),
      key === '$ref' && typeof member === 'string'
        ? member.split('/').map(rename).join('/')
        : renameKeys(member, rename),
    ]),
  );
}

const redocly = () =>
  loadOptionalPackage('@redocly/openapi-core', 'ors generate', () => import('@redocly/openapi-core'));
