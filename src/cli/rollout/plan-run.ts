import { randomBytes } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { definedFields } from '../../core/index.ts';
import { countPlanned, type RunPlan } from '../../rollout/index.ts';
import { CliError } from '../failure.ts';
import type { ServerConnection } from '../remote/connect.ts';
import { unknownName } from '../remote/names.ts';
import { resolveResumedBaseUrl } from './base-url.ts';
import type { RolloutFlags } from './flags.ts';
import { type AgentSettings, agentName, type RunSettings } from './settings.ts';

/** What a new run plays. @throws Failure where the flags leave it open, or name what is not there. */
export async function planRun(
  server: ServerConnection,
  flags: RolloutFlags,
  settings: RunSettings,
): Promise<readonly [path: string, plan: RunPlan]> {
  const environment = server.environment(flags.env ?? only('environment', '--env', server.names));
  const names = (await server.request((signal) => environment.splits({ signal }))).map(({ name }) => name);
  const split = flags.split ?? only('split', '--split', names);
  if (!names.includes(split)) throw new CliError(`${environment.name}: ${unknownName('split', split, names)}`);
  const agent = agentName(settings.agent);
  const started_at = new Date().toISOString();
  const path = flags.out ?? join('runs', nameOfRun([environment.name, split, agent], started_at));
  const { limit = null, tasks = [{ start: 0, stop: limit }], turns = 100, tokens = null, time: seconds = null } = flags;
  const task_count = await server.request((signal) => environment.countTasks(split, { signal }));
  const plan = {
    ...{ run: flags.run ?? nameOfFolder(path, settings), ...definedFields({ step: flags.step }) },
    ...{ url: server.url, environment: environment.name, split, tasks, task_count },
    ...{ samples: flags.samples ?? 1, agent, limits: { turns, tokens, seconds } },
    ...{ reducer: flags.reward ?? 'sum', pass: flags.pass ?? 1, started_at },
    settings: { ...settings },
  };
  // Before there is a folder.
  countPlanned(plan, task_count);
  return [path, plan];
}

/** Its folder; and some random letters in a store that may have runs of many folders of that name. */
function nameOfFolder(path: string, { traces }: RunSettings): string {
  const name = basename(resolve(path)) || 'run';
  return typeof traces === 'boolean' ? name : `${name}-${randomBytes(3).toString('hex')}`;
}

function only(kind: string, flag: string, names: readonly string[]): string {
  const [name, ...others] = names;
  if (name === undefined) throw new CliError(`the server has no ${kind} to play`);
  if (others.length === 0) return name;
  throw new CliError(`the server has several ${kind}s; name one by ${flag}: ${names.slice(0, 20).join(', ')}`);
}

/** `countdown-test-gpt-5-20260102-030405`. */
function nameOfRun(parts: readonly string[], at: string): string {
  const time = at.replace(/[-:]|\..*/g, '').replace('T', '-');
  return [...parts.map((part) => part.replace(/[^0-9A-Za-z._]+/g, '-')), time].join('-');
}

/** The flags that say what a run plays: it has been said already where one is gone on with. */
const FIXED = [
  ...['env', 'split', 'samples', 'limit', 'tasks', 'reward', 'pass', 'turns', 'tokens', 'time', 'model', 'agent'],
  ...['module', 'system', 'temperature', 'topP', 'maxOutputTokens', 'run', 'step'],
] as const;

/** @throws Failure where a flag would make another run of it. */
export function assertResumable(flags: Readonly<Record<string, unknown>>, { agent }: RunSettings): void {
  const given = FIXED.find((name) => flags[name] !== undefined);
  const flag = given?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const changed = flag ?? (flags.stream === false && agent.stream !== false ? 'no-stream' : undefined);
  if (changed === undefined) return;
  throw new CliError(
    `a run is gone on with as it was begun; leave --${changed} out, or begin a new run without --resume`,
  );
}

/** What makes the agent of a run that goes on. Its key may be in another variable by now. @throws Failure */
export const resolveResumedAgent = ({ agent }: RunSettings, flags: RolloutFlags): AgentSettings => ({
  ...agent,
  ...definedFields({ base_url: resolveResumedBaseUrl(flags.baseUrl, agent.base_url), key_variable: flags.keyVariable }),
});
