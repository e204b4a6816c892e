import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
const validate = ajv.compile(JSON.parse(readFileSync('spec/conformance-results.schema.json', 'utf8')));

/** Returns the errors of a results.json by its published schema; none if it is valid. */
export function problemsOf(results: unknown): string[] {
  validate(results);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
