import { formatCount, groupBy, noun } from '../../core/index.ts';
import { defineEnvironment, type Environment, type SolveContext } from '../../environment/index.ts';
import type { ToolSpec } from '../../protocol/index.ts';
import { type ReplayDivergence, type ReplayOrder, ReplaySession } from './playback.ts';
import { type RecordedEpisode, type RecordedTrace, toRecordedEpisode } from './recorded-episode.ts';
import { createReplayTasks, type ReplayTask } from './replay-tasks.ts';
import { createEpisodeTool, createReplayTools } from './replay-tools.ts';

export interface ReplayOptions {
  /** Default: that of the recorded environment, or `replay`. */
  readonly name?: string;
  /** Whether calls are answered in the order of the record alone. Default: `recorded`. */
  readonly order?: ReplayOrder;
  /** The tools, where they were not recorded. Default: what the calls tell of them. */
  readonly tools?: readonly ToolSpec[];
  /** Told of each call that departs from the record, with what the record has instead. Default: nobody is. */
  readonly onDivergence?: (departure: ReplayDivergence) => void;
}

/**
 * An environment that replays recorded episodes: the same prompt and tools, and for the same calls the same outputs and
 * rewards. A call that departs from the record is an error that the agent sees, and the episode goes on. Each episode is
 * found at its place in its split, by its task, and in the split `recorded`. Its `solve` plays the record.
 *
 * @param traces at least one; all of one environment, unless `name` says otherwise. With two of the same id the last counts.
 * @throws Error that names what is missing of a trace; TypeError for none, and for those of several environments.
 */
export async function replayEnvironment(
  traces: RecordedTrace | readonly RecordedTrace[],
  options: ReplayOptions = {},
): Promise<Environment> {
  const list = 'messages' in traces ? [traces] : traces;
  const byId = new Map(list.map((trace) => [trace.trace.id, trace]));
  const episodes = await Promise.all([...byId.values()].map(toRecordedEpisode));
  const names = [...new Set(episodes.map(({ environment }) => environment ?? 'replay'))];
  const [own] = names;
  if (own === undefined) throw new TypeError('there are no traces to replay; give one at least');
  if (names.length > 1 && options.name === undefined) {
    throw new TypeError(
      `the traces are of several environments (${names.join(', ')}); replay those of one, or give a name`,
    );
  }
  return environmentOf(options.name ?? own, episodes, options);
}

/** The same for traces of several environments: one for each, in the order of their first traces. */
export async function replayEnvironments(
  traces: readonly RecordedTrace[],
  options: Omit<ReplayOptions, 'name'> = {},
): Promise<Environment[]> {
  const groups = groupBy(traces, ({ trace }) => (trace.environment ?? 'replay').toLowerCase());
  return Promise.all([...groups.values()].map((group) => replayEnvironment(group, { ...options, ...nameOf(group) })));
}

/** Case does not count in names of environments. */
const nameOf = ([first]: readonly RecordedTrace[]) => ({ name: first?.trace.environment ?? 'replay' });

function environmentOf(name: string, episodes: readonly RecordedEpisode[], options: ReplayOptions): Environment {
  const { order = 'recorded', onDivergence = () => {} } = options;
  const byId = new Map(episodes.map((episode) => [episode.id, episode]));
  const tools = createReplayTools(episodes, options.tools);
  const tasks = createReplayTasks(episodes);
  const find = ({ trace, publicTask }: ReplayTask): RecordedEpisode => {
    const episode = trace === null ? undefined : byId.get(trace);
    if (episode) return episode;
    const { split, index } = publicTask;
    throw new Error(`task ${index} of split '${split}' was not recorded; the split 'recorded' has those that were`);
  };
  const environment = defineEnvironment({
    name: environmentName(name),
    description: `A replay of ${formatCount(episodes.length)} recorded ${noun(episodes.length, 'episode')}.`,
    splits: tasks.splits as never,
    publicTask: (task) => (task as unknown as ReplayTask).publicTask,
    resolveTask: (shown) => tasks.resolve(shown) as never,
    setup({ task }) {
      const episode = find(task as unknown as ReplayTask);
      const names = new Set((tools.byEpisode.get(episode.id) ?? []).map((tool) => tool.name));
      return new ReplaySession(episode, names, order, onDivergence);
    },
    prompt: ({ state }) => state.episode.prompt,
    async taskTools({ state: { episode } }) {
      const own = (tools.byEpisode.get(episode.id) ?? []).filter(({ name }) => !tools.shared.has(name));
      return Object.fromEntries(
        await Promise.all(own.map(async (tool) => [tool.name, await createEpisodeTool(tool, episode)])),
      );
    },
    solve: ({ task, call }) => playRecord(find(task as unknown as ReplayTask), call),
  });
  // These take every input, which no definition can say.
  return { ...environment, tools: tools.shared };
}

/** Makes the recorded calls; those that failed fail again. */
async function playRecord({ calls }: RecordedEpisode, call: SolveContext<unknown>['call']): Promise<void> {
  for (const { name, input, outcome } of calls) {
    const played = call(name, input);
    if (outcome.ok) await played;
    else await played.catch(() => {});
    if (outcome.ok && outcome.result.finished) return;
  }
}

/** What was recorded elsewhere may be called what no environment here may. */
const environmentName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(0, 64) || 'replay';
