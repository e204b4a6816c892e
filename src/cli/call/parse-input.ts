import type { JSONObject, JSONValue, ToolSpec } from '../../protocol/index.ts';
import { CliError } from '../failure.ts';
import { parseJsonArgument } from '../remote/json-argument.ts';
import { parseValue } from '../remote/read-value.ts';
import { toolInput } from '../remote/tool-input.ts';

/** `key=value`, or `key:=json`. */
export interface InputArgument {
  readonly key: string;
  readonly text: string;
  /** Whether the text is JSON, whatever the tool's schema says. */
  readonly isJson: boolean;
}

/** Takes `key=value` and `key:=json` apart. @throws Failure naming the argument that is neither. */
export function parsePairs(args: readonly string[]): InputArgument[] {
  const pairs = args.map(parsePair);
  const keys = new Set<string>();
  for (const { key } of pairs) {
    if (keys.has(key)) throw new CliError(`'${key}' is given twice; give each parameter once`);
    keys.add(key);
  }
  return pairs;
}

function parsePair(argument: string): InputArgument {
  const at = argument.indexOf('=');
  const isJson = argument[at - 1] === ':';
  const key = argument.slice(0, Math.max(0, isJson ? at - 1 : at));
  if (at < 0) throw new CliError(`'${argument}' is no parameter: it has no '='; write key=value, or key:=json`);
  if (key === '') throw new CliError(`'${argument}' has no name before the '='; write key=value, or key:=json`);
  return { key, text: argument.slice(at + 1), isJson };
}

/** The input of a call; each value is read by the type that the tool's schema gives it. @throws Failure naming the key. */
export function toToolInput(pairs: readonly InputArgument[], { name, input_schema }: ToolSpec): JSONObject {
  const { parameters, others, resolver } = toolInput(input_schema);
  const schemaOf = (key: string): unknown => {
    const parameter = parameters.find((each) => each.name === key);
    return parameter ? parameter.schema : others;
  };
  const value = ({ key, text, isJson }: InputArgument): JSONValue => {
    if (isJson) return parseJsonArgument(text, `${key}:=`);
    try {
      return parseValue(text, schemaOf(key), resolver);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const advice = `to send other JSON all the same, write ${key}:=<json>`;
      throw new CliError(`${key} of tool '${name}' ${error.message}; ${advice}`, { cause: error });
    }
  };
  return Object.fromEntries(pairs.map((pair) => [pair.key, value(pair)]));
}
