import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { definedFields, errorMessage, unknownName } from '../../core/index.ts';
import {
  type Agent,
  countPlanned,
  idleAgent,
  loadAgent,
  loadModel,
  type ModelAgentOptions,
  modelAgent,
  oracleAgent,
  type RunPlan,
  randomAgent,
} from '../../rollout/index.ts';
import { CliError, onlyName } from '../failure.ts';
import type { ServerConnection } from '../remote/connect.ts';
import {
  type AgentSettings,
  agentName,
  type RolloutFlags,
  type RunSettings,
  resolveResumedBaseUrl,
} from './settings.ts';

/** Plans a new run. @throws CliError if the flags are incomplete, or name something that does not exist. */
export async function planRun(
  server: ServerConnection,
  flags: RolloutFlags,
  settings: RunSettings,
): Promise<readonly [path: string, plan: RunPlan]> {
  const environment = server.environment(flags.env ?? onlyName('environment', '--env', server.names), '--env');
  const names = (await server.request((signal) => environment.splits({ signal }))).map(({ name }) => name);
  const split = flags.split ?? onlyName('split', '--split', names);
  if (!names.includes(split))
    throw new CliError(`--split: in '${environment.name}' ${unknownName('split', split, names)}`);
  const agent = agentName(settings.agent);
  if (flags.branch && settings.agent.agent === 'oracle') {
    throw new CliError(
      '--branch: the oracle plays from the start only, not from a state; use a model or another agent',
    );
  }
  const started_at = new Date().toISOString();
  const path = flags.out ?? join('runs', folderName([environment.name, split, agent], started_at));
  const { limit = null, tasks = [{ start: 0, stop: limit }], turns = 100, tokens = null, time: seconds = null } = flags;
  const task_count = await server.request((signal) => environment.countTasks(split, { signal }));
  const plan = {
    run: flags.run ?? defaultRunName(path, settings),
    ...definedFields({ step: flags.step, toolset: flags.toolset, branch: flags.branch }),
    url: server.url,
    environment: environment.name,
    split,
    tasks,
    task_count,
    samples: flags.samples ?? 1,
    agent,
    limits: { turns, tokens, seconds },
    reducer: flags.reward ?? 'sum',
    pass: flags.pass ?? 1,
    started_at,
    settings: { ...settings },
  };
  // Validates the plan before the folder is created.
  try {
    countPlanned(plan, task_count);
  } catch (cause) {
    throw new CliError(`${flags.tasks ? '--tasks' : '--split'}: ${errorMessage(cause)}`, { cause });
  }
  return [path, plan];
}

/** The name of the folder; with a random suffix in a shared store, which may have runs of other folders of that name. */
function defaultRunName(path: string, { traces }: RunSettings): string {
  const name = basename(resolve(path)) || 'run';
  return typeof traces === 'boolean' ? name : `${name}-${randomBytes(3).toString('hex')}`;
}

/** `countdown-test-gpt-5-20260102-030405`. */
function folderName(parts: readonly string[], at: string): string {
  const time = at.replace(/[-:]|\..*/g, '').replace('T', '-');
  return [...parts.map((part) => part.replace(/[^0-9A-Za-z._]+/g, '-')), time].join('-');
}

/** Flags that cannot change when a run is resumed. */
const FIXED: readonly string[] =
  'env split toolset samples limit tasks reward pass branch turns tokens time model agent module system temperature topP maxOutputTokens run step'.split(
    ' ',
  );

/** @throws CliError if a flag would change the plan of the run. */
export function assertResumable(flags: Readonly<Record<string, unknown>>, { agent }: RunSettings): void {
  const given = FIXED.find((name) => flags[name] !== undefined);
  const flag = given?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const changed = flag ?? (flags.stream === false && agent.stream !== false ? 'no-stream' : undefined);
  if (changed === undefined) return;
  throw new CliError(`cannot change --${changed} when resuming; omit it, or start a new run without --resume`);
}

/** Returns the agent settings of a resumed run; the variable of its key may change. @throws CliError */
export const resolveResumedAgent = ({ agent }: RunSettings, flags: RolloutFlags): AgentSettings => ({
  ...agent,
  ...definedFields({ base_url: resolveResumedBaseUrl(flags.baseUrl, agent.base_url), key_variable: flags.keyVariable }),
});

/** An agent and its secrets, such as API keys. */
interface LoadedAgent {
  readonly agent: Agent;
  readonly secrets: readonly string[];
}

const BUILT_IN = ['oracle', 'random', 'idle'] as const;

/** @throws AgentError or Error with a remedy. */
export async function createAgent(settings: AgentSettings, onWait: ModelAgentOptions['onWait']): Promise<LoadedAgent> {
  const { model, agent = '', modules = [] } = settings;
  if (model !== undefined) return createModelAgent(model, settings, onWait);
  return { agent: await createScriptedAgent(agent, modules), secrets: [] };
}

async function createScriptedAgent(agent: string, modules: readonly string[]): Promise<Agent> {
  if (agent === 'random') return randomAgent();
  if (agent === 'idle') return idleAgent();
  if (agent === 'oracle') {
    const { importEnvironments } = await import('../../hosting/index.ts');
    const loaded = await Promise.all(modules.map((file) => importEnvironments(pathToFileURL(resolve(file)).href)));
    return oracleAgent(loaded.flat());
  }
  if (/^[\w-]*$/.test(agent) && !existsSync(agent)) {
    throw new CliError(`--agent: ${unknownName('agent', agent, BUILT_IN)} Or pass a file, such as ./agent.ts`);
  }
  return loadAgent(agent);
}

/** Flags of the options of `loadModel`. */
const MODEL_FLAGS = { baseUrl: '--base-url', apiKeyEnv: '--key-variable' } as const;

async function createModelAgent(
  name: string,
  settings: AgentSettings,
  onWait: ModelAgentOptions['onWait'],
): Promise<LoadedAgent> {
  const { base_url: baseUrl, key_variable: apiKeyEnv, system, temperature, stream: streaming } = settings;
  const { top_p: topP, max_output_tokens: maxOutputTokens } = settings;
  const model = await loadModel(name, { ...definedFields({ baseUrl, apiKeyEnv }), optionNames: MODEL_FLAGS });
  const options = definedFields({ system, streaming, temperature, topP, maxOutputTokens, onWait });
  return { agent: modelAgent({ model, ...options }), secrets: model.secrets ?? [] };
}
