import { InvalidArgumentError } from 'commander';
import { REDUCERS, type TaskRanges } from '../../rollout/index.ts';
import { defineFlags, type FlagValues } from '../command.ts';
import { collect, integerParser, parseNumberFlag, parseSeconds } from '../flag-parsers.ts';
import { connectionFlags, parseSecret } from '../remote/flags.ts';

/** Maximum length of a run name in trace stores. */
const MAX_NAME_LENGTH = 256;

const taskFlags = defineFlags(
  {
    '--env <name>': 'environment; required if the server has several',
    '--split <name>': 'split of the tasks; required if the environment has several',
    '-n, --samples <number>': { help: 'episodes per task (default: 1)', parse: integerParser({ min: 1 }) },
    '--limit <number>': { help: 'play only the first tasks, up to this number', parse: integerParser({ min: 1 }) },
    '--tasks <list>': { help: 'play only these tasks, such as 0-99,250', parse: parseTaskRanges, conflicts: ['limit'] },
    '--secret <name[=value]>': {
      help: 'secret for the environment; without a value, read from the environment variable (repeatable)',
      parse: parseSecret,
    },
  },
  'Tasks:',
);

const agentFlags = defineFlags(
  {
    '--model <provider/model>': 'a model of any provider of the AI SDK, such as openai/gpt-5',
    '--agent <name>': {
      help: 'oracle, random, idle, or a module that exports an agent',
      conflicts: ['model'],
    },
    '--module <file>': { help: "module of the environment whose 'solve' the oracle runs (repeatable)", parse: collect },
    '--base-url <url>': 'base URL of an OpenAI-compatible server (vLLM, SGLang, ...)',
    '--key-variable <name>': 'environment variable with the API key of the model',
    '--system <text>': 'system prompt, or @file',
    '--temperature <number>': { help: 'sampling temperature', parse: parseNumberFlag },
    '--top-p <number>': { help: 'nucleus sampling probability mass', parse: parseNumberFlag },
    '--max-output-tokens <number>': { help: 'maximum number of tokens per response', parse: integerParser({ min: 1 }) },
    '--no-stream': 'request responses without streaming',
  },
  'Agent:',
);

const limitFlags = defineFlags(
  {
    '--turns <number>': { help: 'maximum number of model responses (default: 100)', parse: integerParser({ min: 1 }) },
    '--tokens <number>': {
      help: 'maximum number of tokens read and written (default: no limit)',
      parse: integerParser({ min: 1 }),
    },
    '--time <seconds>': { help: 'maximum time after setup (default: no limit)', parse: parseSeconds },
  },
  'Limits of an episode:',
);

const scoreFlags = defineFlags(
  {
    '--reward <reducer>': {
      help: 'how the rewards of the calls are reduced to the score of the episode (default: sum)',
      choices: REDUCERS,
    },
    '--pass <reward>': { help: 'minimum score of a passed episode (default: 1)', parse: parseNumberFlag },
  },
  'Score:',
);

const runFlags = defineFlags(
  {
    '--concurrency <number>': { help: 'number of concurrent episodes', parse: integerParser({ min: 1 }), default: 64 },
    '--attempts <number>': {
      help: 'maximum number of attempts of an episode that fails',
      parse: integerParser({ min: 1 }),
      default: 3,
    },
  },
  'Execution:',
);

const outputFlags = defineFlags(
  {
    '--out <folder>': 'folder of the run (default: runs/<environment>-<split>-<agent>-<time>)',
    '--resume <folder>': { help: 'resume a stopped run', conflicts: ['out'] },
    '--traces <store>': 'a SQLite file, postgres://..., or the URL of a store (default: traces.db in the folder)',
    '--run <name>': {
      help: 'name of its traces in the store; the steps of a training run share one',
      parse: parseRunName,
    },
    '--step <number>': { help: 'training step of its traces', parse: integerParser() },
    '--no-traces': 'record no traces',
    '--json': 'print results.json instead of a table',
  },
  'Output:',
);

export const rolloutFlags = {
  ...taskFlags,
  ...agentFlags,
  ...limitFlags,
  ...scoreFlags,
  ...runFlags,
  ...outputFlags,
  ...connectionFlags,
};

export type RolloutAgentFlags = FlagValues<typeof agentFlags> & FlagValues<typeof limitFlags>;
/** `traces` is false with --no-traces. */
export type RolloutFlags = FlagValues<Omit<typeof rolloutFlags, '--traces <store>' | '--no-traces'>> & {
  readonly traces?: string | boolean;
};

function parseRunName(text: string): string {
  if (text !== '' && text.length <= MAX_NAME_LENGTH) return text;
  throw new InvalidArgumentError(`Expected 1 to ${MAX_NAME_LENGTH} characters.`);
}

/** Parses `0-99,250`: indexes and inclusive ranges, in any order; `100-` has no end. @throws InvalidArgumentError */
function parseTaskRanges(text: string): TaskRanges {
  const ranges = text.split(',').map(parseRange);
  return merge(ranges.sort((one, other) => one.start - other.start));
}

function parseRange(text: string) {
  const [, first, dash, last] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(text) ?? [];
  const start = Number(first);
  const end = last ? Number(last) : start;
  const isRange =
    first !== undefined && (dash || !last) && Number.isSafeInteger(start) && Number.isSafeInteger(end) && start <= end;
  if (!isRange) throw new InvalidArgumentError(`Expected indexes and ranges such as 0-99,250 or 100-, got '${text}'.`);
  return { start, stop: dash && !last ? null : end + 1 };
}

/** Merges ranges that overlap or touch, so that no task is listed twice. */
function merge(sorted: TaskRanges): TaskRanges {
  const merged: { start: number; stop: number | null }[] = [];
  for (const { start, stop } of sorted) {
    const last = merged.at(-1);
    if (!last || (last.stop !== null && last.stop < start)) merged.push({ start, stop });
    else if (last.stop !== null) last.stop = stop === null ? null : Math.max(last.stop, stop);
  }
  return merged;
}
