import { type Awaitable, after } from '../awaitable/index.ts';
import {
  type Environment,
  Episode,
  findSplit,
  publicTask,
  resolveTask,
  sliceBounds,
  type ToolRun,
  taskAt,
} from '../environment/index.ts';
import type { SerializedBlock } from '../protocol/index.ts';
import type { HostedEnvironment, HostedEpisode, HostedRun, HostedTool, NamedTask } from './hosted-environment.ts';
import type { Bound } from './messages.ts';
import { successJson } from './result-json.ts';
import type { Wait } from './wait.ts';

/** Hosts an environment in this thread: a tool that blocks, blocks the server. */
export function hostInline(environment: Environment): HostedEnvironment {
  const { name, description, splits, tools } = environment;
  return {
    name,
    description,
    splits,
    tools: [...tools.values()].map(({ spec }) => spec),
    countTasks: (split, wait) => waitFor(wait, async () => findSplit(environment, split).count()),
    task: (split, index, wait) =>
      waitFor(wait, async () => publicTask(environment, await taskAt(environment, split, index))),
    tasks: (split, start, stop, wait) => waitFor(wait, () => tasksBetween(environment, split, start, stop)),
    close: async () => undefined,
    async open(named, session, wait) {
      const task = await waitFor(wait, () => wholeTask(environment, named));
      return new InlineEpisode(new Episode(environment, task, session));
    },
  };
}

const waitFor = <T>(wait: Wait | undefined, work: () => Promise<T>): Promise<T> => (wait ? wait.for(work) : work());

async function tasksBetween(environment: Environment, split: string, start: Bound, stop: Bound) {
  const source = findSplit(environment, split);
  const bounds = sliceBounds(await source.count(), start, stop);
  const whole = await source.slice(bounds.start, bounds.stop);
  return whole.map((task) => publicTask(environment, task));
}

const wholeTask = (environment: Environment, { task_spec, split, index }: NamedTask): Promise<unknown> =>
  task_spec ? resolveTask(environment, task_spec) : taskAt(environment, split as string, index as number);

class InlineEpisode implements HostedEpisode {
  readonly #episode: Episode;

  constructor(episode: Episode) {
    this.#episode = episode;
  }

  get tools(): ReadonlyMap<string, HostedTool> {
    return this.#episode.tools;
  }

  setup(): Promise<void> {
    return this.#episode.setup();
  }

  prompt(wait?: Wait): Promise<readonly SerializedBlock[]> {
    return waitFor(wait, () => this.#episode.prompt());
  }

  run(name: string, input: unknown, signal?: AbortSignal): Awaitable<HostedRun> {
    return after(this.#episode.run(name, input, signal), hostedRun);
  }

  teardown(): Promise<void> {
    return this.#episode.teardown();
  }

  /** In the server's own thread there is nothing to end. */
  abandon(): void {}
}

const hostedRun = (run: ToolRun): HostedRun =>
  run.ok ? { ok: true, json: successJson(run.output), finished: run.output.finished } : run;
