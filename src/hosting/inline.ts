import { type Awaitable, andThen } from '../core/index.ts';
import {
  type Conditions,
  type Environment,
  Episode,
  findSplit,
  getTaskAt,
  listTools,
  publicTask,
  resolveTask,
  type SerializedGroupScore,
  sliceBounds,
  type ToolRunResult,
  withToolset,
} from '../environment/index.ts';
import type {
  ScoreGroupCandidate,
  SerializedBlock,
  SerializedMessage,
  SerializedToolOutput,
} from '../protocol/index.ts';
import type {
  EnvironmentInfo,
  HostedEnvironment,
  HostedEpisode,
  HostedToolResult,
  LazyAbortController,
  SliceBound,
  TaskSelectorFields,
} from './hosted-environment.ts';

/** Reports whether `defineEnvironment` has returned a value, perhaps in another copy of the package. */
export const isEnvironment = (value: unknown): value is Environment =>
  typeof value === 'object' && value !== null && 'splitTasks' in value && 'hooks' in value && 'splits' in value;

/**
 * Hosts environments in this thread, unless they are hosted already.
 *
 * @throws TypeError for other values, which JavaScript does not reject.
 */
export function hostAll(environments: readonly (Environment | HostedEnvironment)[]): readonly HostedEnvironment[] {
  if (!Array.isArray(environments)) throw new TypeError('the environments are not an array; pass [environment]');
  // Visits holes of the array, unlike `map`.
  return Array.from<Environment | HostedEnvironment, HostedEnvironment>(environments, (environment, index) => {
    if (isEnvironment(environment)) return hostInline(environment);
    if (isHosted(environment)) return environment;
    throw new TypeError(`environment ${index + 1} is not the result of defineEnvironment({ ... })`);
  });
}

const isHosted = (value: unknown): value is HostedEnvironment =>
  typeof value === 'object' && value !== null && ['open', 'countTasks', 'close'].every((name) => name in value);

/** Hosts an environment in this thread, where a tool that blocks the event loop blocks the whole server. */
export function hostInline(environment: Environment): HostedEnvironment {
  return {
    ...describeEnvironment(environment),
    countTasks: async (split, wait) => waitFor(wait, () => findSplit(environment, split).count()),
    task: async (split, index, wait) =>
      publicTask(environment, await waitFor(wait, () => getTaskAt(environment, split, index))),
    tasks: async (split, start, stop, wait) => waitFor(wait, () => tasksBetween(environment, split, start, stop)),
    close: async () => undefined,
    open: (selector, session, wait) =>
      andThen(
        waitFor(wait, () => findTask(environment, selector)),
        (task) => new InlineEpisode(environment, task, session),
      ),
  };
}

/** Describes an environment to servers. */
export function describeEnvironment(environment: Environment): EnvironmentInfo {
  const { name, description, splits, tools, toolsets, secrets, durability, version, hooks } = environment;
  return {
    name,
    description,
    splits,
    ...listTools(tools.values()),
    toolsets: new Map(
      [...toolsets.keys()].map((toolset) => [toolset, listTools(withToolset(environment, toolset).values())]),
    ),
    hasTaskTools: hooks.taskTools !== undefined,
    hasPrompt: hooks.prompt !== undefined,
    hasMessages: hooks.messages !== undefined,
    supportsScoreGroup: hooks.scoreGroup !== undefined,
    secrets,
    durability,
    version,
  };
}

const waitFor = <T>(wait: LazyAbortController | undefined, work: () => Awaitable<T>): Awaitable<T> =>
  wait ? wait.race(work) : work();

async function tasksBetween(environment: Environment, split: string, start: SliceBound, stop: SliceBound) {
  const source = findSplit(environment, split);
  const bounds = sliceBounds(await source.count(), start, stop);
  const tasks = await source.slice(bounds.start, bounds.stop);
  return tasks.map((task) => publicTask(environment, task));
}

const findTask = (environment: Environment, { task_spec, split, index }: TaskSelectorFields): Awaitable<unknown> =>
  task_spec ? resolveTask(environment, task_spec) : getTaskAt(environment, split as string, index as number);

class InlineEpisode extends Episode implements HostedEpisode {
  override prompt(wait?: LazyAbortController): Awaitable<readonly SerializedBlock[]> {
    return waitFor(wait, () => super.prompt());
  }

  override messages(wait?: LazyAbortController): Awaitable<readonly SerializedMessage[]> {
    return waitFor(wait, () => super.messages());
  }

  run(name: string, input: unknown, signal?: AbortSignal, conditions?: Conditions): Awaitable<HostedToolResult> {
    return andThen(this.call(name, input, signal, conditions), hostedResult);
  }

  compare(candidates: readonly ScoreGroupCandidate[], signal: AbortSignal): Awaitable<string> {
    return andThen(this.scoreGroup(candidates, signal), scoresJson);
  }

  /** Does nothing: code in the thread of the server cannot be terminated. */
  abort(): void {}
}

const hostedResult = (result: ToolRunResult): HostedToolResult =>
  result.ok ? { ok: true, json: successJson(result.output), finished: result.output.finished } : result;

/**
 * Serializes a successful result, with keys in the order of the documents. Integer rewards get a fraction, as in the
 * documents, so that clients that distinguish 1 from 1.0 read a float.
 */
function successJson({ blocks, metadata, reward, finished }: SerializedToolOutput): string {
  if (reward === null || !hasNoFraction(reward)) {
    return JSON.stringify({ ok: true, output: { blocks, metadata, reward, finished } });
  }
  const output = `"blocks":${JSON.stringify(blocks)},"metadata":${JSON.stringify(metadata)}`;
  return `{"ok":true,"output":{${output},"reward":${rewardJson(reward)},"finished":${finished}}}`;
}

/** Serializes comparative rewards, as floats too. */
function scoresJson(scores: readonly SerializedGroupScore[]): string {
  const items = scores.map(
    ({ reward, metadata }) => `{"reward":${rewardJson(reward)},"metadata":${JSON.stringify(metadata)}}`,
  );
  return `{"scores":[${items.join(',')}]}`;
}

/** Returns true for a number that JSON would write without a fraction or exponent. */
const hasNoFraction = (reward: number) => Number.isInteger(reward) && Math.abs(reward) < 1e21;

function rewardJson(reward: number): string {
  if (!hasNoFraction(reward)) return JSON.stringify(reward);
  return Object.is(reward, -0) ? '-0.0' : `${reward}.0`;
}
