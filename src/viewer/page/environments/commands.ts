import { quoteJs, shellCommand } from '../../../core/index.ts';
/** A task of an environment of the server at `url`. */
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

/** A program that plays one episode, with a call that its reader fills in. */
export const clientProgramText = (
  { url, environment, split, index = 0 }: TaskLocation,
  tool: string | undefined,
): string =>
  `import { OrsClient } from 'ors-kit/client';

await using client = new OrsClient(${quoteJs(url)});
await using session = await client.environment(${quoteJs(environment)}).session({ split: ${quoteJs(split)}, index: ${index} });
console.log(await session.prompt());
const { text, reward, finished } = await session.call(${quoteJs(tool ?? 'a_tool')}, {/* input */});`;
