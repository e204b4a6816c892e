/** What something must be, out of what ajv says of it. */
export const expectedText = (message: string): string =>
  message
    .replace(/^must be /, '')
    .replace(/^must NOT have /, 'of no ')
    .replace(/^must have required property /, 'an object with ')
    .replace(/^must match (?=pattern|format)/, 'a text of the ')
    .replace(/^must match /, 'a value of ');
