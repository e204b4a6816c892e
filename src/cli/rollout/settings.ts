import { basename, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { definedFields, hasScheme, isHttpUrl, isRecord, withoutCredentials } from '../../core/index.ts';
import { type BranchPolicy, REDUCERS, type RunPlan, type TaskRanges } from '../../rollout/index.ts';
import {
  collect,
  defineFlags,
  type FlagValues,
  integerParser,
  orInvalid,
  parseNumberFlag,
  parsePositive,
  parseSeconds,
  parseServerUrl,
} from '../command.ts';
import { CliError, readTextFile } from '../failure.ts';
import { connectionFlags, parseSecret } from '../remote/flags.ts';
import { IN_MEMORY } from '../traces/open-store.ts';

/** Maximum length of a run name in trace stores. */
const MAX_NAME_LENGTH = 256;

const taskFlags = defineFlags(
  {
    '--env <name>': 'environment; required if the server has several',
    '--split <name>': 'split of the tasks; required if the environment has several',
    '-n, --samples <number>': { help: 'episodes per task (default: 1)', parse: parsePositive },
    '--limit <number>': { help: 'play only the first tasks, up to this number', parse: parsePositive },
    '--tasks <list>': { help: 'play only these tasks, such as 0-99,250', parse: parseTaskRanges, conflicts: ['limit'] },
    '--toolset <name>': 'toolset of the environment, whose tools are added to those of the episodes',
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
    '--agent <name>': { help: 'oracle, random, idle, or a module that exports an agent', conflicts: ['model'] },
    '--module <file>': { help: "module of the environment whose 'solve' the oracle runs (repeatable)", parse: collect },
    '--base-url <url>': 'base URL of an OpenAI-compatible server (vLLM, SGLang, ...)',
    '--key-variable <name>': 'environment variable with the API key of the model',
    '--system <text>': 'system prompt, or @file',
    '--temperature <number>': { help: 'sampling temperature', parse: parseNumberFlag },
    '--top-p <number>': { help: 'nucleus sampling probability mass', parse: parseNumberFlag },
    '--max-output-tokens <number>': { help: 'maximum number of tokens per response', parse: parsePositive },
    '--no-stream': 'request responses without streaming',
  },
  'Agent:',
);

const limitFlags = defineFlags(
  {
    '--turns <number>': { help: 'maximum number of model responses (default: 100)', parse: parsePositive },
    '--tokens <number>': {
      help: 'maximum number of tokens read and written (default: no limit)',
      parse: parsePositive,
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
    '--branch <policy>': {
      help: 'estimate the advantage of each call: 4 continues each episode four times from every state, 4@10 from 10 states; needs a server with a journal',
      parse: parseBranchPolicy,
    },
  },
  'Score:',
);

const runFlags = defineFlags(
  {
    '--concurrency <number>': { help: 'number of concurrent episodes', parse: parsePositive, default: 64 },
    '--attempts <number>': {
      help: 'maximum number of attempts of an episode that fails',
      parse: parsePositive,
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

/** `traces` is false with --no-traces. */
export type RolloutFlags = FlagValues<Omit<typeof rolloutFlags, '--traces <store>' | '--no-traces'>> & {
  readonly traces?: string | boolean;
};

function parseRunName(text: string): string {
  const isValid = text !== '' && text.length <= MAX_NAME_LENGTH;
  return orInvalid(isValid ? text : undefined, `1 to ${MAX_NAME_LENGTH} characters`);
}

/** Parses `4` or `4@10`: the continuations of each state, and the states of an episode. @throws InvalidArgumentError */
function parseBranchPolicy(text: string): BranchPolicy {
  const [, continuations, , states] = /^([1-9]\d{0,5})(@([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (continuations === undefined) {
    throw new InvalidArgumentError(
      `Expected continuations, or continuations@states, such as 4 or 4@10, got '${text}'.`,
    );
  }
  return { continuations: Number(continuations), states: states === undefined ? null : Number(states) };
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

/** Settings of a run that are stored with its plan. */
export interface RunSettings {
  readonly agent: AgentSettings;
  readonly traces: TraceTarget;
}

/** Settings of the agent, stored with the run so that it can be resumed. */
export interface AgentSettings {
  readonly model?: string;
  readonly agent?: string;
  readonly modules?: readonly string[];
  readonly base_url?: string;
  readonly key_variable?: string;
  readonly system?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_output_tokens?: number;
  readonly stream?: boolean;
}

/** @throws CliError if no agent is selected, or a URL contains a password. */
export const toRunSettings = async (flags: RolloutFlags): Promise<RunSettings> => ({
  agent: await agentOf(flags),
  traces: parseTraceTarget(flags.traces),
});

/** Reads the settings of a stored run. @throws Error if they are missing. */
export function readRunSettings({ settings }: RunPlan, folder: string): RunSettings {
  const { agent, traces } = settings;
  const isTarget = isRecord(traces) || ['string', 'boolean'].includes(typeof traces);
  // Written by `toRunSettings`.
  if (isRecord(agent) && isTarget) return settings as unknown as RunSettings;
  throw new Error(
    `${folder}/run.json has no 'settings' of \`ors rollout\`; resume it with the program that started the run`,
  );
}

/** Returns the name of the agent in results and traces. */
export const agentName = ({ model, agent = '' }: AgentSettings): string =>
  model ?? basename(agent).replace(/\.[cm]?[jt]s$/, '');

async function agentOf(flags: RolloutFlags): Promise<AgentSettings> {
  const { model, agent, module: modules, system, baseUrl } = flags;
  if (model === undefined && agent === undefined) {
    throw new CliError(
      'no agent selected; pass --model <provider>/<model>, --agent oracle --module <file>, --agent random, or --agent <file>',
    );
  }
  if (agent === 'oracle' && !modules) {
    throw new CliError("the oracle runs the environment's own 'solve'; pass its file with --module <file>");
  }
  return definedFields({
    model,
    agent,
    modules,
    base_url: baseUrl === undefined ? undefined : redactBaseUrl(baseUrl),
    key_variable: flags.keyVariable,
    system: system?.startsWith('@') ? await readTextFile(system.slice(1), '--system') : system,
    temperature: flags.temperature,
    top_p: flags.topP,
    max_output_tokens: flags.maxOutputTokens,
    stream: flags.stream ? undefined : false,
  });
}

/** Query parameters of a model URL that are not secrets; the values of all others are not stored. */
const PUBLIC_MODEL_PARAMETERS: readonly string[] = ['api-version'];
const HIDDEN = '...';

/** Returns the base URL of a model as it is stored and shown. @throws CliError if it contains a password. */
export function redactBaseUrl(requested: string): string {
  // The request reports an invalid URL.
  if (!URL.canParse(requested)) return requested;
  const url = new URL(requested);
  if (url.username || url.password) {
    const advice = 'put the key into an environment variable, and pass its name with --key-variable';
    throw new CliError(`the base URL of ${url.host} contains a user name or password; ${advice}`);
  }
  if (url.search === '') return requested;
  for (const name of new Set(url.searchParams.keys()))
    if (!PUBLIC_MODEL_PARAMETERS.includes(name.toLowerCase())) url.searchParams.set(name, HIDDEN);
  return url.href;
}

/** Returns the base URL of a resumed run: the stored or the requested one. @throws CliError if they differ. */
export function resolveResumedBaseUrl(requested: string | undefined, kept: string | undefined): string | undefined {
  if (requested !== undefined && (kept === undefined || redactBaseUrl(requested) !== redactBaseUrl(kept))) {
    throw new CliError('cannot change --base-url when resuming; omit it, or start a new run without --resume');
  }
  if (requested !== undefined || kept === undefined || !isIncomplete(kept)) return requested ?? kept;
  throw new CliError(
    `the base URL of this run, ${kept}, contains a secret that is not stored; pass it again with --base-url`,
  );
}

const isIncomplete = (kept: string): boolean =>
  URL.canParse(kept) && [...new URL(kept).searchParams.values()].includes(HIDDEN);

/**
 * Stored form of the trace store of a run: true for the file in its folder, false for none, a file or URL; or the redacted
 * form of a URL that contains a secret, which is not stored.
 */
export type TraceTarget = string | boolean | { readonly hidden: string };

/** Query parameters of a database URL that are not secrets. */
export const PUBLIC_DATABASE_PARAMETERS: readonly string[] = [
  'host port user dbname sslmode application_name connect_timeout options search_path',
  'client_encoding sslrootcert target_session_attrs keepalives',
].flatMap((names) => names.split(' '));

/** @throws CliError if the URL of a server contains a password or a query. */
export function parseTraceTarget(requested: string | boolean | undefined): TraceTarget {
  if (requested === undefined || requested === true || requested === false) return requested ?? true;
  if (isHttpUrl(requested)) {
    const address = parseServerUrl(requested);
    if (!/[?#]/.test(requested)) return address;
    const advice = 'pass its URL without them, and its key in ORS_TRACES_API_KEY';
    throw new CliError(`the URL of the store, ${withoutCredentials(requested)}, has a query or a fragment; ${advice}`);
  }
  if (hasScheme(requested)) return hasSecret(requested) ? { hidden: withoutCredentials(requested) } : requested;
  return requested === IN_MEMORY ? requested : resolve(requested);
}

/** A URL that cannot be parsed may contain a secret. */
function hasSecret(requested: string): boolean {
  if (!URL.canParse(requested)) return withoutCredentials(requested) !== requested;
  const { password, searchParams } = new URL(requested);
  return (
    password !== '' || [...searchParams.keys()].some((name) => !PUBLIC_DATABASE_PARAMETERS.includes(name.toLowerCase()))
  );
}

/** Returns the store of a new run. */
export const resolveStore = (requested: string | boolean | undefined, place: TraceTarget): string | boolean =>
  typeof place === 'object' ? (requested ?? true) : place;

/** Returns the store of a resumed run: the same one. @throws CliError if another one is passed, or it must be passed again. */
export function resolveResumedStore(
  requested: string | boolean | undefined,
  before: TraceTarget,
  file: string,
): string | boolean {
  if (typeof before === 'object') {
    if (typeof requested === 'string' && withoutCredentials(requested) === before.hidden) return requested;
    const advice = 'pass it again with --traces <store>';
    throw new CliError(`the store of this run, ${before.hidden}, contains a secret that is not stored; ${advice}`);
  }
  if (requested === undefined) return before;
  const now = parseTraceTarget(requested);
  if (now === before || (before === true && now === resolve(file))) return before;
  const where = before === false ? 'nowhere' : before === true ? `in ${file}` : `in ${withoutCredentials(before)}`;
  const flag = requested === false ? '--no-traces' : '--traces';
  throw new CliError(
    `cannot change ${flag} when resuming: this run is recorded ${where}; omit it, or start a new run without --resume`,
  );
}
