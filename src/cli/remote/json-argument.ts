import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { errorMessage, truncate } from '../../core/index.ts';
import { isRecord, type JSONObject, type JSONValue } from '../../protocol/index.ts';
import { Failure } from '../failure.ts';

const SHOWN_CHARACTERS = 80;

/**
 * A JSON object out of an option: as it stands there, `@file`, or `-` for standard input.
 *
 * @throws Failure naming the option.
 */
export async function readJsonObject(argument: string, option: string): Promise<JSONObject> {
  const { source, written } = await readSource(argument, option);
  const value = parseJson(written, `${option}${source}`);
  // What JSON.parse returns and is a record is a JSON object.
  if (isRecord(value)) return value as JSONObject;
  throw new Failure(
    `${option}${source} must be a JSON object; '${truncate(written.trim(), SHOWN_CHARACTERS)}' is none`,
  );
}

async function readSource(argument: string, option: string): Promise<{ source: string; written: string }> {
  if (argument === '-') return { source: ' (standard input)', written: await text(process.stdin) };
  if (!argument.startsWith('@')) return { source: '', written: argument };
  const file = argument.slice(1);
  try {
    return { source: ` (${file})`, written: await readFile(file, 'utf8') };
  } catch (cause) {
    throw new Failure(`${option}: the file '${file}' cannot be read: ${errorMessage(cause)}`, { cause });
  }
}

/** @throws Failure with what is wrong and how JSON is written. */
export function parseJson(written: string, where: string): JSONValue {
  try {
    return JSON.parse(written);
  } catch (cause) {
    const shown = truncate(written.trim(), SHOWN_CHARACTERS);
    const advice = `write it as in '{"answer": "42"}', with double quotes inside`;
    throw new Failure(`${where} is no JSON: '${shown}'; ${advice}`, { cause });
  }
}
