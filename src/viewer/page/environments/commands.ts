/** A task of an environment of the server at `url`. */
export interface Place {
  readonly url: string;
  readonly environment: string;
  readonly split: string;
  readonly index?: number;
}

/** A word as shells read it. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const line = (...words: readonly string[]): string => words.map(shellWord).join(' ');

export const playCommand = ({ url, environment, split, index = 0 }: Place): string =>
  line('npx', 'ors-kit', 'play', url, environment, '--split', split, '--index', String(index));

export const rolloutCommand = ({ url, environment, split }: Place): string =>
  `${line('npx', 'ors-kit', 'rollout', url, '--env', environment, '--split', split)} --model openai/gpt-5 -n 8`;

/** A program that plays one episode, with a call that its reader fills in. */
export const clientProgram = ({ url, environment, split, index = 0 }: Place, tool: string | undefined): string =>
  `import { OrsClient } from 'ors-kit/client';

await using client = new OrsClient(${quoted(url)});
await using session = await client.environment(${quoted(environment)}).session({ split: ${quoted(split)}, index: ${index} });
console.log(await session.prompt());
const { text, reward, finished } = await session.call(${quoted(tool ?? 'a_tool')}, {/* input */});`;

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
