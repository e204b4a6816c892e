import { quoteJs, shellCommand, truncate } from '../../../core/index.ts';
import type { JSONValue } from '../../../protocol/index.ts';

const MAX_CHARACTERS = 160;
const MAX_TEXT_CHARACTERS = 80;

/** Formats a task on one line, with long texts truncated. */
export function summarizeTask(task: Readonly<Record<string, JSONValue>>): string {
  const fields: string[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(task)) {
    const field = `${name}: ${briefValue(value)}`;
    fields.push(field);
    length += field.length;
    if (length > MAX_CHARACTERS) return truncate(fields.join(' · '), MAX_CHARACTERS);
  }
  return fields.join(' · ') || 'an empty task';
}

function briefValue(value: JSONValue): string {
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : (JSON.stringify(value) ?? '');
  return truncate(text, MAX_TEXT_CHARACTERS);
}

/** Task of an environment on the server at `url`. */
export interface TaskLocation {
  readonly url: string;
  readonly environment: string;
  readonly split: string;
  readonly index?: number;
}

export const playCommandText = ({ url, environment, split, index = 0 }: TaskLocation): string =>
  shellCommand('npx', 'ors-kit', 'play', url, environment, '--split', split, '--index', String(index));

export const rolloutCommandText = ({ url, environment, split }: TaskLocation): string =>
  `${shellCommand('npx', 'ors-kit', 'rollout', url, '--env', environment, '--split', split)} --model openai/gpt-5 -n 8`;

/** Returns a program that plays one episode; the reader fills in the call. */
export const clientProgramText = (
  { url, environment, split, index = 0 }: TaskLocation,
  tool: string | undefined,
): string =>
  `import { OrsClient } from 'ors-kit/client';

await using client = new OrsClient(${quoteJs(url)});
await using session = await client.environment(${quoteJs(environment)}).session({ split: ${quoteJs(split)}, index: ${index} });
console.log(await session.prompt());
const { text, reward, finished } = await session.call(${quoteJs(tool ?? 'a_tool')}, {/* input */});`;
