import { after } from '../awaitable/index.ts';
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
import type { EpisodeRequest, HostedEnvironment, HostedEpisode, HostedRun } from './hosted-environment.ts';
import type { Bound } from './messages.ts';
import { orAborted } from './or-aborted.ts';
import { successJson } from './result-json.ts';

/** Hosts an environment in this thread: a tool that blocks, blocks the server. */
export function hostInline(environment: Environment): HostedEnvironment {
  const { name, description, splits, tools } = environment;
  return {
    name,
    description,
    splits,
    tools: [...tools.values()].map(({ spec }) => spec),
    countTasks: (split, signal) => orAborted(signal, async () => findSplit(environment, split).count()),
    task: (split, index, signal) =>
      orAborted(signal, async () => publicTask(environment, await taskAt(environment, split, index))),
    tasks: (split, start, stop, signal) => orAborted(signal, () => tasksBetween(environment, split, start, stop)),
    close: async () => undefined,
    open: async (request) => hostEpisode(await orAborted(request.signal, () => openEpisode(environment, request))),
  };
}

async function tasksBetween(environment: Environment, split: string, start: Bound, stop: Bound) {
  const source = findSplit(environment, split);
  const bounds = sliceBounds(await source.count(), start, stop);
  const whole = await source.slice(bounds.start, bounds.stop);
  return whole.map((task) => publicTask(environment, task));
}

async function openEpisode(environment: Environment, { task: named, ...options }: EpisodeRequest): Promise<Episode> {
  const { task_spec, split, index } = named;
  const task = task_spec
    ? await resolveTask(environment, task_spec)
    : await taskAt(environment, split as string, index as number);
  return new Episode(environment, { ...options, task });
}

const hostEpisode = (episode: Episode): HostedEpisode => ({
  setup: () => episode.setup(),
  get tools() {
    return episode.tools;
  },
  prompt: (signal) => orAborted(signal, () => episode.prompt()),
  run: (name, input, signal) => after(episode.run(name, input, signal), hostedRun),
  teardown: () => episode.teardown(),
  // In the server's own thread there is nothing to end.
  abandon: () => undefined,
});

const hostedRun = (run: ToolRun): HostedRun =>
  run.ok ? { ok: true, json: successJson(run.output), finished: run.output.finished } : run;
