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
import type { SerializedBlock, SerializedToolOutput } from '../protocol/index.ts';
import type {
  HostedEnvironment,
  HostedEpisode,
  HostedToolResult,
  LazyAbortController,
  SliceBound,
  TaskSelectorFields,
} from './hosted-environment.ts';

/** Hosts an environment in this thread, where a tool that blocks the event loop blocks the whole server. */
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
    open: (selector, session, wait) =>
      andThen(
        waitFor(wait, () => findTask(environment, selector)),
        (task) => new InlineEpisode(environment, task, session),
      ),
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

  run(name: string, input: unknown, signal?: AbortSignal): Awaitable<HostedToolResult> {
    return andThen(this.call(name, input, signal), hostedResult);
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
  if (reward === null || !Number.isInteger(reward) || Math.abs(reward) >= 1e21) {
    return JSON.stringify({ ok: true, output: { blocks, metadata, reward, finished } });
  }
  const fraction = Object.is(reward, -0) ? '-0.0' : `${reward}.0`;
  const output = `"blocks":${JSON.stringify(blocks)},"metadata":${JSON.stringify(metadata)}`;
  return `{"ok":true,"output":{${output},"reward":${fraction},"finished":${finished}}}`;
}
