import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** Returns a validator that is independent of the suite. */
export function validator(schema: unknown, isDraft7 = JSON.stringify(schema).includes('/draft-0')) {
  const { $schema, ...rest } = Object(schema) as Record<string, unknown>;
  const ajv = new (isDraft7 ? Ajv : Ajv2020)({
    strict: false,
    ownProperties: true,
    logger: false,
    unicodeRegExp: false,
    code: { optimize: false }, // with it, some code names variables that it lacks
  });
  ajvFormats.default(ajv);
  return ajv.compile(schema === false ? false : rest);
}
