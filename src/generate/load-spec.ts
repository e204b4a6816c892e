import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { createResolver, errorCode, errorMessage, hasCode, isRecord, schemasIn } from '../core/index.ts';
import { GenerateError } from './generate-error.ts';
import { loadOptionalPackage } from './optional-package.ts';

/** What breaks the letter of OpenAPI but leaves no doubt about what is meant. */
const HARMLESS = /is not expected here|`nullable` field is used/;

const SCHEMA_KEYWORDS = ['$schema', '$defs', 'definitions', 'properties', 'type', 'allOf', 'anyOf', 'oneOf', 'enum'];

/** A JSON object whose members are not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A specification in memory. */
export interface LoadedSpec {
  readonly kind: 'openapi' | 'schema';
  /** File name without endings: `ors` of `spec/ors.openapi.yaml`. */
  readonly name: string;
  /** File name, for people. */
  readonly file: string;
  /** References to other files are bundled in. */
  readonly document: JsonObject;
}

/**
 * Reads an OpenAPI 3 document or a JSON Schema, YAML or JSON; the content tells which.
 *
 * @throws {GenerateError} If the file cannot be read, parsed or understood.
 */
export async function loadSpec(path: string): Promise<LoadedSpec> {
  const file = basename(path);
  const name = file.replace(/\.(ya?ml|json)$/i, '').replace(/\.(openapi|schema)$/i, '');
  const document = await parse(path, await read(path));
  if ('swagger' in document) {
    throw new GenerateError(`this is Swagger ${document.swagger}; convert it to OpenAPI 3.1 first`);
  }
  if ('openapi' in document) return { kind: 'openapi', name, file, document: await bundled(path, document) };
  if (!SCHEMA_KEYWORDS.some((keyword) => keyword in document)) {
    throw new GenerateError("neither an OpenAPI document (no 'openapi') nor a JSON Schema (no '$defs')");
  }
  const resolver = createResolver(document);
  for (const { schema } of schemasIn(document)) {
    const { $ref } = schema;
    if (typeof $ref !== 'string' || $ref.startsWith('#') || resolver.resolve($ref, schema)) continue;
    throw new GenerateError(`it refers to ${$ref}; put what it names under $defs of the same file`);
  }
  return { kind: 'schema', name, file, document };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = hasCode(error, 'ENOENT') ? 'there is no such file' : (errorCode(error) ?? errorMessage(error));
    throw new GenerateError(`cannot be read: ${why}`, { cause: error });
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
  if (!isRecord(document)) throw new GenerateError('holds no object; an OpenAPI document begins with openapi: 3.1.0');
  return document;
}

async function bundled(path: string, { openapi }: JsonObject): Promise<JsonObject> {
  if (typeof openapi !== 'string' || !/^3\.[01]\b/.test(openapi)) {
    throw new GenerateError(`says openapi: ${openapi}, but ors generate reads OpenAPI 3.0 and 3.1`);
  }
  const { bundle, createConfig, lint } = await redocly();
  const ref = resolve(path);
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
  const problem = (await lint({ ref, config })).find(({ message }) => !HARMLESS.test(message));
  if (problem) {
    const [place] = problem.location;
    const file = place && place.source.absoluteRef !== ref ? `${basename(place.source.absoluteRef)} ` : '';
    throw new GenerateError(`${problem.message.replace(/\.$/, '')}, at ${file}${place?.pointer}`);
  }
  return (await bundle({ ref, config: await createConfig({}) })).bundle.parsed;
}

const redocly = () => loadOptionalPackage('@redocly/openapi-core', () => import('@redocly/openapi-core'));
