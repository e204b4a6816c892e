import { type Command, InvalidArgumentError, Option } from 'commander';
import { REDUCERS, type Reducer } from '../../rollout/index.ts';
import { collectOption, integerOption, numberOption, secondsOption } from '../option-parsers.ts';
import { addConnectionOptions, type ConnectionFlags } from '../remote/connection-options.ts';
import { readSecret } from '../remote/secrets.ts';
import { parseTaskRanges } from './read-tasks.ts';

/** What is typed. */
export interface RolloutFlags extends ConnectionFlags, RolloutAgentFlags {
  readonly env?: string;
  readonly split?: string;
  readonly samples?: number;
  readonly limit?: number;
  readonly tasks?: ReturnType<typeof parseTaskRanges>;
  readonly concurrency: number;
  readonly attempts: number;
  readonly reward?: Reducer;
  readonly pass?: number;
  readonly secret?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly step?: number;
  readonly out?: string;
  readonly resume?: string;
  /** False by --no-traces. */
  readonly traces?: string | false;
  readonly json?: true;
}

/** Who plays, and within which limits. */
export interface RolloutAgentFlags {
  readonly model?: string;
  readonly agent?: string;
  readonly module?: readonly string[];
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  readonly system?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly stream: boolean;
  readonly turns?: number;
  readonly tokens?: number;
  readonly time?: number;
}

/** By what they are about. */
const OPTIONS: Readonly<Record<string, readonly Option[]>> = {
  'What is played:': [
    new Option('--env <name>', 'environment; needed where the server has several'),
    new Option('--split <name>', 'split of its tasks; needed where it has several'),
    new Option('-n, --samples <number>', 'episodes per task (default: 1)').argParser(integerOption({ min: 1 })),
    new Option('--limit <number>', 'only the first so many tasks').argParser(integerOption({ min: 1 })),
    new Option('--tasks <list>', 'only these tasks, such as 0-99,250').argParser(parseTaskRanges).conflicts('limit'),
    new Option(
      '--secret <name[=value]>',
      'a secret for the environment; without a value, that of the variable (repeat)',
    ).argParser(readSecret),
  ],
  'Who plays:': [
    new Option('--model <provider/model>', 'a model of any provider of the AI SDK, such as openai/gpt-5'),
    new Option('--agent <name>', 'oracle, random, idle, or a module that exports an agent').conflicts('model'),
    new Option('--module <file>', "environment whose own 'solve' the oracle plays by (repeat)").argParser(
      collectOption,
    ),
    new Option('--base-url <url>', 'server with the interface of OpenAI, such as vLLM or SGLang, that has the model'),
    new Option('--key-variable <name>', 'environment variable that holds the key of the model'),
    new Option('--system <text>', 'what the model is told before the prompt, or @file'),
    new Option('--temperature <number>', 'how freely the model chooses').argParser(numberOption),
    new Option('--top-p <number>', 'part of the probability that it chooses from').argParser(numberOption),
    new Option('--max-output-tokens <number>', 'the most tokens of one answer').argParser(integerOption({ min: 1 })),
    new Option('--no-stream', 'ask for whole answers'),
  ],
  'Limits of an episode:': [
    new Option('--turns <number>', 'answers of the model (default: 100)').argParser(integerOption({ min: 1 })),
    new Option('--tokens <number>', 'tokens that the model reads and writes (default: no limit)').argParser(
      integerOption({ min: 1 }),
    ),
    new Option('--time <seconds>', 'time after its setup (default: no limit)').argParser(secondsOption),
  ],
  'How it counts:': [
    new Option('--reward <how>', 'how the rewards of calls become that of the episode (default: sum)').choices(
      REDUCERS,
    ),
    new Option('--pass <reward>', 'least reward of an episode that has passed (default: 1)').argParser(numberOption),
  ],
  'How it is played:': [
    new Option('--concurrency <number>', 'episodes at a time').argParser(integerOption({ min: 1 })).default(64),
    new Option('--attempts <number>', 'how often an episode is played that fails')
      .argParser(integerOption({ min: 1 }))
      .default(3),
  ],
  'What is kept:': [
    new Option('--out <folder>', 'folder of the run (default: runs/<environment>-<split>-<agent>-<time>)'),
    new Option('--resume <folder>', 'go on with a run that was stopped').conflicts('out'),
    new Option(
      '--traces <store>',
      'a SQLite file, postgres://..., or the URL of a store (default: traces.db in the folder)',
    ),
    new Option('--run <name>', 'name of its traces in the store; the steps of a training share one').argParser(
      readName,
    ),
    new Option('--step <number>', 'training step of its traces').argParser(integerOption()),
    new Option('--no-traces', 'record no traces'),
    new Option('--json', 'print results.json instead of a table'),
  ],
};

export function addRolloutOptions(command: Command): Command {
  for (const [group, each] of Object.entries(OPTIONS))
    for (const option of each) command.addOption(option.helpGroup(group));
  return addConnectionOptions(command);
}

/** Longer ones no store takes. */
const MAX_NAME_LENGTH = 256;

function readName(text: string): string {
  if (text !== '' && text.length <= MAX_NAME_LENGTH) return text;
  throw new InvalidArgumentError(`It must have 1 to ${MAX_NAME_LENGTH} characters.`);
}
