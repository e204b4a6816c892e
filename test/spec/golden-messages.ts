import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

const specFolder = new URL('../../spec/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, specFolder), 'utf8');

/** A message that its schema takes; `source` is the document's heading, `adapted` what differs from it. */
export interface ValidMessage {
  name: string;
  source?: string;
  adapted?: string;
  value: unknown;
}

/** A message with exactly one mistake; `text` replaces `value` if the message is not JSON. */
export interface InvalidMessage {
  name: string;
  value?: unknown;
  text?: string;
  because: string;
}

/** One file of spec/messages: the golden messages of one schema. */
export interface Messages {
  schema: string;
  valid: ValidMessage[];
  invalid: InvalidMessage[];
}

/** The two spec files that hold schemas: the folder of their messages, their names, and how to validate. */
export interface SchemaSet {
  folder: string;
  names: string[];
  validator: (name: string) => ValidateFunction;
}

function schemaSet(folder: string, document: Record<string, unknown>, pointer: string, names: string[]): SchemaSet {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(document, folder);
  const validator = (name: string): ValidateFunction => {
    const validate = ajv.getSchema(`${folder}#/${pointer}/${name}`);
    if (!validate) throw new Error(`${folder} has no schema ${name}; name the message file after a schema`);
    return validate;
  };
  return { folder, names, validator };
}

const openapi = parse(read('ors.openapi.yaml'));
const trace = JSON.parse(read('trace.schema.json'));

/** The schemas of spec/ors.openapi.yaml and those of spec/trace.schema.json. */
export const schemaSets: readonly [ors: SchemaSet, trace: SchemaSet] = [
  // Paths hold no schemas that messages name, and OpenAPI's own keywords would only confuse ajv.
  schemaSet(
    'messages/',
    { components: openapi.components },
    'components/schemas',
    Object.keys(openapi.components.schemas),
  ),
  schemaSet('messages/trace/', trace, '$defs', Object.keys(trace.$defs)),
];

/** The message files of a folder, as file name without `.json` and content. */
export function readMessages(folder: string): { file: string; messages: Messages }[] {
  return readdirSync(new URL(folder, specFolder))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ file: name.replace('.json', ''), messages: JSON.parse(read(`${folder}${name}`)) }));
}
