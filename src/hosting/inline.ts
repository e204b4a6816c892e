import { type Awaitable, andThen } from '../core/index.ts';
import {
  type Environment,
  Episode,
  findSplit,
  getTaskAt,
  publicTask,
  resolveTask,
  sliceBounds,
  type ToolRunResult,
} from '../environment/index.ts';
import type { SerializedBlock } from '../protocol/index.ts';
import type {
  HostedEnvironment,
  HostedEpisode,
  HostedTool,
  HostedToolResult,
  TaskSelectorFields,
} from './hosted-environment.ts';
import type { SliceBound } from './messages.ts';
import { successJson } from './result-json.ts';
import type { LazyAbortController } from './wait.ts';

/** Hosts an environment in this thread: a tool that blocks, blocks the server. */
export function hostInline(environment: Environment): HostedEnvironment {
  const { name, description, splits, tools } = environment;
  return {
    name,
    description,
    splits,
    tools: [...tools.values()].map(({ spec }) => spec),
    countTasks: async (split, wait) => waitFor(wait, () => findSplit(environment, split).count()),
    task: async (split, index, wait) =>
      publicTask(environment, await waitFor(wait, () => getTaskAt(environment, split, index))),
    tasks: async (split, start, stop, wait) => waitFor(wait, () => tasksBetween(environment, split, start, stop)),
    close: async () => undefined,
    open: (named, session, wait) =>
      andThen(
        waitFor(wait, () => wholeTask(environment, named)),
        (task) => new InlineEpisode(new Episode(environment, task, session)),
      ),
  };
}

const waitFor = <T>(wait: LazyAbortController | undefined, work: () => Awaitable<T>): Awaitable<T> =>
  wait ? wait.race(work) : work();

async function tasksBetween(environment: Environment, split: string, start: SliceBound, stop: SliceBound) {
  const source = findSplit(environment, split);
  const bounds = sliceBounds(await source.count(), start, stop);
  const whole = await source.slice(bounds.start, bounds.stop);
  return whole.map((task) => publicTask(environment, task));
}

const wholeTask = (environment: Environment, { task_spec, split, index }: TaskSelectorFields): Awaitable<unknown> =>
  task_spec ? resolveTask(environment, task_spec) : getTaskAt(environment, split as string, index as number);

class InlineEpisode implements HostedEpisode {
  readonly #episode: Episode;

  constructor(episode: Episode) {
    this.#episode = episode;
  }

  get tools(): ReadonlyMap<string, HostedTool> {
    return this.#episode.tools;
  }

  setup(): Awaitable<void> {
    return this.#episode.setup();
  }

  prompt(wait?: LazyAbortController): Awaitable<readonly SerializedBlock[]> {
    return waitFor(wait, () => this.#episode.prompt());
  }

  run(name: string, input: unknown, signal?: AbortSignal): Awaitable<HostedToolResult> {
    return andThen(this.#episode.run(name, input, signal), hostedRun);
  }

  teardown(): Awaitable<void> {
    return this.#episode.teardown();
  }

  /** In the server's own thread there is nothing to end. */
  abort(): void {}
}

const hostedRun = (run: ToolRunResult): HostedToolResult =>
  run.ok ? { ok: true, json: successJson(run.output), finished: run.output.finished } : run;
