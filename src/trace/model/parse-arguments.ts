import type { JSONObject } from '../../../generated/trace.ts';
import { isJsonObject, JsonSyntaxError, parseJson } from '../../core/index.ts';
import { describeValueKind, type ReportIssue } from './issues.ts';

/** With a block and a batch around them, arguments still fit into the 512 levels of a request. */
const MAX_DEPTH = 500;

type ArgumentsIssue = Parameters<ReportIssue> extends [string, ...infer Rest] ? Rest : never;

/** Arguments that a model wrote as JSON text: the object that it stands for, or the rule that it breaks. */
export type ParsedArguments =
  | { readonly value: JSONObject; readonly issue?: never }
  | { readonly issue: ArgumentsIssue; readonly value?: never };

/** Parses arguments that are given as text; text that the object would not keep exactly is rejected. */
export function parseArguments(text: string): ParsedArguments {
  try {
    const { value, problems } = parseJson(text, { depth: MAX_DEPTH });
    if (!isJsonObject(value)) {
      return { issue: ['arguments_not_object', 'JSON text of an object', `${describeValueKind(value)} as text`] };
    }
    if (problems.every(({ kind }) => kind !== 'number')) return { value };
    return { issue: ['number_not_preserved', 'numbers that a double keeps', 'a number that it changes'] };
  } catch (error) {
    return { issue: ['arguments_not_json', ...describeSyntax(error)] };
  }
}

function describeSyntax(error: unknown): [expected: string, got: string] {
  if (!(error instanceof JsonSyntaxError)) throw error;
  if (error.reason === 'depth') return [`JSON of at most ${MAX_DEPTH} levels`, 'text nested deeper'];
  if (error.reason === 'structures') return ['JSON of at most 1,000,000 arrays, objects and keys', 'text with more'];
  return ['an object, or JSON text of one', 'other text'];
}
