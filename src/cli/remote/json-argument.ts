import { text } from 'node:stream/consumers';
import { isJsonObject, parseJson, pointerPath, truncate } from '../../core/index.ts';
import type { JSONObject, JSONValue } from '../../protocol/index.ts';
import { CliError } from '../failure.ts';
import { readTextFile } from '../read-text-file.ts';

const SHOWN_CHARACTERS = 80;

/**
 * A JSON object out of an option: as it stands there, `@file`, or `-` for standard input.
 *
 * @throws Failure naming the option.
 */
export async function readJsonObject(argument: string, option: string): Promise<JSONObject> {
  const { source, written } = await readSource(argument, option);
  const value = parseJsonArgument(written, `${option}${source}`);
  if (isJsonObject(value)) return value;
  throw new CliError(`${option}${source} must be a JSON object, got '${truncate(written.trim(), SHOWN_CHARACTERS)}'`);
}

async function readSource(argument: string, option: string): Promise<{ source: string; written: string }> {
  if (argument === '-') return { source: ' (standard input)', written: await text(process.stdin) };
  if (!argument.startsWith('@')) return { source: '', written: argument };
  const file = argument.slice(1);
  return { source: ` (${file})`, written: await readTextFile(file, option) };
}

/** @throws Failure if the text is not JSON, or contains a number that JavaScript would change. */
export function parseJsonArgument(written: string, where: string): JSONValue {
  const { value, problems } = parsed(written, where);
  const lost = problems.find(({ kind }) => kind === 'number');
  if (!lost) return value as JSONValue;
  throw new CliError(`${where}: ${pointerPath('', lost.pointer) || 'the value'} ${lost.message}`);
}

function parsed(written: string, where: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(written);
  } catch (cause) {
    const shown = truncate(written.trim(), SHOWN_CHARACTERS);
    const advice = `write it as in '{"answer": "42"}', with double quotes inside`;
    throw new CliError(`${where} is not valid JSON: '${shown}'; ${advice}`, { cause });
  }
}
