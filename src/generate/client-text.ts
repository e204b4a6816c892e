import type { Answer } from './client.ts';

/** The type of a method, by what it makes of a success. */
export const ANSWER_TYPES: Readonly<Record<Answer, string>> = {
  json: `type Json<Path extends Record<string | number, any>, Method extends string> = Method extends keyof Calls<Path>
  ? Calls<Path>[Method] : never;
`,
  events: '',
  text: '',
  blob: '',
};
