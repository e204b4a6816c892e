import { canonicalJson, formatCount, groupBy, largest, noun, plural } from '../../core/index.ts';
import {
  defineEnvironment,
  defineTool,
  type Environment,
  type SolveContext,
  type SplitDefinition,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from '../../environment/index.ts';
import { type JSONObject, type TerminalTool, type ToolSpec, terminalToolSpec } from '../../protocol/index.ts';
import { jsonSchema, toSchema, withoutInvalidDefaults } from '../../schema/index.ts';
import { type RecordedCall, type RecordedEpisode, type RecordedTrace, toRecordedEpisode } from './recorded-episode.ts';

/**
 * Order in which a replayed episode accepts calls: the recorded order, or any.
 *
 * @example
 * const order: ReplayOrder = 'any';
 * const environment = await replayEnvironment(recorded, { order });
 */
export type ReplayOrder = 'recorded' | 'any';

/**
 * Options of a replay.
 *
 * @example
 * await replayEnvironment(recorded, { order: 'any', onDivergence: ({ tool, input }) => console.warn(tool, input) });
 */
export interface ReplayOptions {
  /** Name of the environment. @default the name of the recorded environment, or `replay` */
  readonly name?: string;
  /** Order in which calls are accepted. @default 'recorded' */
  readonly order?: ReplayOrder;
  /** Tools, for traces that do not contain them. @default derived from the recorded calls */
  readonly tools?: readonly ToolSpec[];
  /** Tool that graded the final message, for traces that do not contain it. @default derived from the recorded calls */
  readonly terminalTool?: TerminalTool;
  /** Called for each call that differs from the recording. @default ignored */
  readonly onDivergence?: (divergence: ReplayDivergence) => void;
}

/**
 * Call that the recording does not contain at this point.
 *
 * @example
 * const onDivergence = ({ trace, tool, recorded }: ReplayDivergence) =>
 *   console.warn(`${trace}: expected ${recorded?.name}, got ${tool}`);
 */
export interface ReplayDivergence {
  /** Id of the trace. */
  readonly trace: string;
  /** Number of calls replayed before. */
  readonly replayed: number;
  readonly tool: string;
  readonly input: JSONObject;
  /** Recorded call that was expected; undefined after the last call, and if any order is allowed. */
  readonly recorded: Pick<RecordedCall, 'name' | 'input'> | undefined;
}

/**
 * Creates an environment that replays recorded episodes: same prompt, same tools, and the same outputs and rewards for
 * the same calls. A call that differs from the recording is an error that the agent sees, and the episode continues.
 * Each episode is found by its position in its split, by its task, and in the split `recorded`. `solve` makes the
 * recorded calls.
 *
 * @param traces at least one trace; all of one environment unless `name` is set. Of traces with the same id the last wins.
 * @throws Error that names the missing part of a trace; TypeError for no traces or traces of several environments.
 * @example
 * const environment = await replayEnvironment(await traces.readTrace('tr_1'));
 * await serve([environment]);
 */
export async function replayEnvironment(
  traces: RecordedTrace | readonly RecordedTrace[],
  options: ReplayOptions = {},
): Promise<Environment> {
  const list = 'messages' in traces ? [traces] : traces;
  const byId = new Map(list.map((trace) => [trace.trace.id, trace]));
  const episodes = await Promise.all([...byId.values()].map(toRecordedEpisode));
  const names = [...new Set(episodes.map(({ environment }) => environment ?? 'replay'))];
  const [recordedName] = names;
  if (recordedName === undefined) throw new TypeError('invalid traces: expected at least one, got none');
  if (names.length > 1 && options.name === undefined) {
    throw new TypeError(
      `the traces are of several environments (${names.join(', ')}); replay those of one, or set a name`,
    );
  }
  return createEnvironment(options.name ?? recordedName, episodes, options);
}

/**
 * Creates one environment for each environment of the traces, in the order of their first traces.
 *
 * @throws as `replayEnvironment`.
 * @example
 * await serve(await replayEnvironments([recorded], { order: 'any' }));
 */
export async function replayEnvironments(
  traces: readonly RecordedTrace[],
  options: Omit<ReplayOptions, 'name'> = {},
): Promise<Environment[]> {
  // Names of environments are case-insensitive.
  const groups = groupBy(traces, ({ trace }) => (trace.environment ?? 'replay').toLowerCase());
  return Promise.all(
    [...groups.values()].map((group) =>
      replayEnvironment(group, { ...options, name: group[0]?.trace.environment ?? 'replay' }),
    ),
  );
}

function createEnvironment(name: string, episodes: readonly RecordedEpisode[], options: ReplayOptions): Environment {
  const byId = new Map(episodes.map((episode) => [episode.id, episode]));
  const tools = createReplayTools(episodes, options);
  const tasks = createReplayTasks(episodes);
  const find = ({ trace, publicTask }: ReplayTask): RecordedEpisode => {
    const episode = trace === null ? undefined : byId.get(trace);
    if (episode) return episode;
    const { split, index } = publicTask;
    throw new Error(`task ${index} of split '${split}' was not recorded; the split 'recorded' lists the recorded ones`);
  };
  const environment = defineEnvironment({
    name: toEnvironmentName(name),
    description: `A replay of ${formatCount(episodes.length)} recorded ${noun(episodes.length, 'episode')}.`,
    splits: tasks.splits as never,
    publicTask: (task) => (task as unknown as ReplayTask).publicTask,
    resolveTask: (publicTask) => tasks.resolve(publicTask) as never,
    setup({ task }) {
      const episode = find(task as unknown as ReplayTask);
      const names = new Set((tools.byEpisode.get(episode.id) ?? []).map((tool) => tool.name));
      if (tools.terminal) names.add(tools.terminal.name);
      return startReplay(episode, names, options);
    },
    messages: ({ state }) => state.episode.messages,
    async taskTools({ state: { episode } }) {
      const own = (tools.byEpisode.get(episode.id) ?? []).filter(({ name }) => !tools.shared.has(name));
      return Object.fromEntries(
        await Promise.all(own.map(async (tool) => [tool.name, await createEpisodeTool(tool, episode)])),
      );
    },
    solve: ({ task, call }) => playRecording(find(task as unknown as ReplayTask), call),
  });
  // Shared tools accept every input, which a tool definition cannot express.
  return { ...environment, tools: tools.shared };
}

/** Makes the recorded calls; those that failed fail again. */
async function playRecording({ calls }: RecordedEpisode, call: SolveContext<unknown>['call']): Promise<void> {
  for (const { name, input, outcome } of calls) {
    const played = call(name, input);
    if (outcome.ok) await played;
    else await played.catch(() => {});
    if (outcome.ok && outcome.result.finished) return;
  }
}

/** Converts a name of another implementation to a valid name of an environment. */
const toEnvironmentName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(0, 64) || 'replay';

/** Task of a replay. */
interface ReplayTask {
  /** Id of the trace; null for a position of a split that was not recorded. */
  readonly trace: string | null;
  readonly publicTask: JSONObject;
}

/** Puts each episode at its position in its split, and all of them into the split `recorded`. */
function createReplayTasks(episodes: readonly RecordedEpisode[]) {
  const all = episodes.map(({ id, split, index, task }): ReplayTask => {
    const position = split === null ? {} : { split, index };
    return { trace: id, publicTask: { trace: id, ...position, ...(task && { task_spec: task }) } };
  });
  const bySplit = new Map<string, Map<number, ReplayTask>>();
  const byPublicTask = new Map<string, ReplayTask>();
  for (const [at, { id, split, index, task }] of episodes.entries()) {
    const recorded = all[at] as ReplayTask;
    byPublicTask.set(canonicalJson(recorded.publicTask), recorded);
    const original: ReplayTask = { trace: id, publicTask: task ?? recorded.publicTask };
    // The first of several episodes of a task is found by its task and position.
    const key = canonicalJson(original.publicTask);
    if (!byPublicTask.has(key)) byPublicTask.set(key, original);
    if (split === null || index === null) continue;
    const positions = bySplit.get(split) ?? new Map<number, ReplayTask>();
    if (!positions.has(index)) positions.set(index, original);
    bySplit.set(split, positions);
  }
  const originals = [...bySplit].map(([split, positions]) => [split, toSplit(split, positions)] as const);
  const recordedSplit = bySplit.has('recorded') ? 'recorded_traces' : 'recorded';
  return {
    splits: { ...Object.fromEntries(originals), [recordedSplit]: all },
    /** Inverse of `publicTask`. @throws Error for an unknown task. */
    resolve(publicTask: JSONObject): ReplayTask {
      const task = byPublicTask.get(canonicalJson(publicTask));
      if (task) return task;
      throw new Error('this task was not recorded');
    },
  };
}

function toSplit(split: string, positions: ReadonlyMap<number, ReplayTask>): SplitDefinition<ReplayTask> {
  return {
    count: largest(positions.keys()) + 1,
    get: (index) => positions.get(index) ?? { trace: null, publicTask: { recorded: false, split, index } },
  };
}

type SharedReplayTool = Environment['tools'] extends ReadonlyMap<string, infer T> ? T : never;

const TOOL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/**
 * Returns the tools of each episode by its id, those that are the same in all episodes, and the terminal tool. Episodes
 * with another terminal tool list theirs, because an environment has only one.
 *
 * @param options tools that are used instead of the recorded ones.
 */
function createReplayTools(
  episodes: readonly RecordedEpisode[],
  { tools: replacement, terminalTool }: Pick<ReplayOptions, 'tools' | 'terminalTool'>,
) {
  const known = new Map(episodes.flatMap(({ tools = [] }) => tools).map((tool) => [tool.name, tool]));
  const recorded = episodes.flatMap((episode) => episode.terminalTool ?? []).filter(({ name }) => TOOL_NAME.test(name));
  const terminal = terminalTool ?? recorded[0];
  const byEpisode = new Map(
    episodes.map((episode) => {
      const tools = replacement ?? episode.tools ?? withCalledTools([...known.values()], episodes);
      const own = episode.terminalTool ? [terminalToolSpec(episode.terminalTool)] : [];
      const all = new Map([...own, ...tools].map((tool) => [tool.name, tool]));
      return [episode.id, [...all.values()].filter(({ name }) => TOOL_NAME.test(name) && name !== terminal?.name)];
    }),
  );
  const [first = [], ...others] = [...byEpisode.values()];
  const otherTools = others.map((tools) => new Set(tools.map(canonicalJson)));
  const shared = first.filter((tool) => otherTools.every((tools) => tools.has(canonicalJson(tool))));
  const all = [...shared.map((spec) => createSharedTool(spec)), ...(terminal ? [createTerminalTool(terminal)] : [])];
  return { byEpisode, shared: new Map(all.map((tool) => [tool.spec.name, tool])), terminal };
}

/** Adds tools that were called but not listed; only the names of their parameters are known. */
function withCalledTools(tools: readonly ToolSpec[], episodes: readonly RecordedEpisode[]): ToolSpec[] {
  const inputs = new Map<string, JSONObject>();
  for (const { name, input } of episodes.flatMap(({ calls }) => calls)) {
    const properties = Object.fromEntries(Object.keys(input).map((parameter) => [parameter, {}]));
    inputs.set(name, { ...inputs.get(name), ...properties });
  }
  const called = [...inputs].filter(([name]) => !tools.some((tool) => tool.name === name));
  const specs = called.map(([name, properties]) => ({
    name,
    description: 'A tool of the recorded episode.',
    input_schema: { type: 'object', properties },
  }));
  return [...tools, ...specs];
}

/** Creates a tool that accepts every input, because rejections are recorded too. */
const createSharedTool = (spec: ToolSpec): SharedReplayTool => ({
  spec,
  schema: { json: spec.input_schema ?? { type: 'object' }, validate: (value) => ({ ok: true, value }) },
  mode: 'serial',
  terminal: undefined,
  timeoutMs: undefined,
  idempotent: false,
  run: ({ input, state }) => (state as ReplaySession).call(spec.name, input as JSONObject),
});

const createTerminalTool = (terminal: TerminalTool): SharedReplayTool => ({
  ...createSharedTool(terminalToolSpec(terminal)),
  mode: 'exclusive',
  terminal,
});

/**
 * Creates a tool that not all episodes have. Its schema is the recorded one if that accepts the recorded inputs without
 * changing them; otherwise it accepts any object, because rejections are recorded too.
 */
async function createEpisodeTool({ name, description, input_schema }: ToolSpec, { calls }: RecordedEpisode) {
  const inputs = calls.filter((call) => call.name === name).map(({ input }) => input);
  const recorded = input_schema && (withoutInvalidDefaults(input_schema) as JSONObject);
  const input = (await acceptsUnchanged(recorded, inputs)) ? recorded : { type: 'object' };
  return defineTool({
    description: description.trim() === '' ? `The tool ${name}.` : description,
    ...(input !== null && { input: jsonSchema<JSONObject>(input) }),
    run: ({ input, state }: { readonly input: JSONObject; readonly state: ReplaySession }) => state.call(name, input),
  }) as ToolDefinition<object | undefined, unknown, ReplaySession>;
}

async function acceptsUnchanged(schema: JSONObject | null, inputs: readonly JSONObject[]): Promise<boolean> {
  // A tool without parameters receives no input, whatever was sent.
  if (schema === null) return inputs.every((input) => Object.keys(input).length === 0);
  try {
    const { validate } = toSchema(schema, 'a recorded tool');
    const values = await Promise.all(inputs.map((input) => validate(input)));
    return values.every((valid, index) => valid.ok && canonicalJson(valid.value) === canonicalJson(inputs[index]));
  } catch (error) {
    // The schema is not valid here, although the recorded server accepted it.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

type ReplaySession = ReturnType<typeof startReplay>;

/**
 * Starts the replay of an episode.
 *
 * @param tools names of the tools; the server rejects calls of others by itself, so that they never arrive here.
 */
function startReplay(episode: RecordedEpisode, tools: ReadonlySet<string>, options: ReplayOptions) {
  const { order = 'recorded', onDivergence } = options;
  const remaining = episode.calls.filter(({ name }) => tools.has(name));
  let replayed = 0;

  /** Describes the difference without the recorded input, which may be the solution. */
  function describeDifference(tool: string): string {
    const [next] = remaining;
    if (!next) return `it ends after ${plural(replayed, 'call')}`;
    if (order === 'any') return `it has no more calls of '${tool}' with this input`;
    const expected = `call ${replayed + 1}`;
    return next.name === tool ? `${expected} has another input` : `${expected} is of the tool '${next.name}'`;
  }

  return {
    episode,
    /** Returns the recorded result. @throws ToolError if the recorded call failed, or the recording has no such call. */
    call(tool: string, input: JSONObject): ToolResult {
      const key = canonicalJson(input);
      const index = remaining.findIndex((call) => call.name === tool && canonicalJson(call.input) === key);
      const isExpected = index === 0 || (index > 0 && order === 'any');
      const [call] = isExpected ? remaining.splice(index, 1) : [];
      if (!call) {
        const recorded = order === 'recorded' ? remaining[0] : undefined;
        onDivergence?.({ trace: episode.id, replayed, tool, input, recorded });
        const difference = describeDifference(tool);
        throw new ToolError(`this episode is a replay, and the call differs from the recording: ${difference}`);
      }
      replayed += 1;
      if (call.outcome.ok) return call.outcome.result;
      throw new ToolError(call.outcome.reason);
    },
  };
}
