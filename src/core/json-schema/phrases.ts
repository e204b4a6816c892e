const TYPE_PHRASES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** Returns the phrase for a JSON type in a message, such as `a string`. */
export const typePhrase = (type: string): string => TYPE_PHRASES[type] ?? type;
