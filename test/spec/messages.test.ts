import { describe, expect, test } from '@jest/globals';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type InvalidMessage, readMessages, schemaSets } from './golden-messages.ts';

/** True if the message cannot be parsed or its schema refuses it. */
function isRefused({ text, value }: InvalidMessage, validate: ValidateFunction): boolean {
  try {
    return !validate(text === undefined ? value : JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}

describe.each(schemaSets)('$folder', ({ folder, validator }) => {
  const files = readMessages(folder);

  test.each(files)('$file takes each of its valid messages', ({ messages }) => {
    const validate = validator(messages.schema);

    const refused = messages.valid
      .filter(({ value }) => !validate(value))
      .map(({ name, value }) => ({ name, errors: validate(value) || validate.errors }));

    expect(refused).toEqual([]);
  });

  test.each(files)('$file refuses each of its invalid messages', ({ messages }) => {
    const validate = validator(messages.schema);

    const taken = messages.invalid.filter((message) => !isRefused(message, validate)).map(({ name }) => name);

    expect(taken).toEqual([]);
  });
});
