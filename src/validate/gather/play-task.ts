import { type RemoteEnvironment, ScoreGroupUnsupportedError, type TaskHandle } from '../../client/index.ts';
import { equalJson, seededRandom, settlesWithin } from '../../core/index.ts';
import type { Environment } from '../../environment/index.ts';
import {
  type JSONObject,
  joinText,
  type Message,
  type TerminalTool,
  type ToolSpec,
  terminalToolInput,
} from '../../protocol/index.ts';
import { errorDetail, withDeadline } from '../../trial/index.ts';
import type { CallEvidence, EpisodeRun, GroupEvidence, TaskEvidence } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import type { ValidatedEnvironment } from './plan.ts';
import { type CallObservation, type EpisodePlayer, playEpisode } from './play-episode.ts';
import type { TrialInputRegistry } from './trial-inputs.ts';

/** A task that is played. */
export interface SampledTask extends Omit<TaskEvidence, 'runs'> {
  readonly split: string;
  /** True for the first task of the split, which is also played with full inputs. */
  readonly isFirst: boolean;
}

/** Tools of a task, and whether its rollouts can be compared. */
interface OpenedTask {
  readonly tools: readonly ToolSpec[];
  readonly terminal: TerminalTool | null;
  readonly comparesRollouts: boolean;
}

const RANDOM_STEPS = 8;
const INVALID_INPUTS_PER_TOOL = 6;
/** Time for `solve`, as a multiple of the timeout of one call. */
const SOLVE_TIMEOUT_FACTOR = 10;

/** Plays a task in all ways, one episode after the other, so that only the environment can make two runs differ. */
export async function playTask(
  { remote, secondCopy, source }: ValidatedEnvironment,
  task: SampledTask,
  trials: TrialInputRegistry,
  settings: ValidationSettings,
): Promise<TaskEvidence> {
  const { index, publicTask, fullTask } = task;
  const runs: EpisodeRun[] = [];
  const play: EpisodeStarter = async (kind, makeCalls, repeats) => {
    const run = await playEpisode(remote, task, { kind, ...(repeats && { repeats }) }, settings, makeCalls);
    runs.push(run);
    return run;
  };
  let opened: OpenedTask = { tools: [], terminal: null, comparesRollouts: false };
  const idle = await play('idle', async ({ tools, terminalTool: terminal, session }) => {
    opened = { tools, terminal, comparesRollouts: await session.supportsScoreGroup() };
  });
  const { tools, terminal, comparesRollouts } = opened;
  const evidence = { index, publicTask, fullTask, runs };
  if (idle.failure) return evidence;
  await trials.addTools(tools);
  trials.hear(idle.prompt?.text ?? '');
  if (terminal) await trials.addTerminalTool(terminal, schemaOf(source, terminal));
  if (secondCopy) runs.push(await playEpisode(secondCopy, task, { kind: 'fresh' }, settings));

  if (source?.hooks.solve) {
    const solved = await play('solve', (player, run) => callBySolve(source, task, player, run, settings));
    await play('solve', callsOf(solved), solved);
  }
  const random = await play('random', (player) => callRandomly(player, trials, seededRandom(settings.seed + index)));
  await play('random', callsOf(random), random);
  for (const { name } of tools) {
    const { minimal, full } = trials.inputsFor(name);
    if (minimal) {
      const { steps } = await play('minimal', (player) => player.call(name, minimal.value, minimal.what));
      for (const step of steps) await trials.learn(step);
    }
    if (full && task.isFirst) await play('full', (player) => player.call(name, full.value, full.what));
  }
  await play('invalid', (player) => callWithInvalidInputs(player, trials, source));
  if (terminal) await playAnswers(terminal, trials, play);
  if (!comparesRollouts || !task.isFirst) return evidence;
  return { ...evidence, group: await compareRuns(remote, task, runs, settings) };
}

/** Plays an episode in one way, and records it. */
type EpisodeStarter = (
  kind: EpisodeRun['kind'],
  makeCalls?: (player: EpisodePlayer, run: EpisodeRun) => Promise<unknown>,
  repeats?: EpisodeRun,
) => Promise<EpisodeRun>;

const schemaOf = (source: Environment | undefined, { name }: TerminalTool) =>
  source?.tools.get(name)?.spec.input_schema;

/** Final message of a model that has not solved the task. */
const NO_ANSWER = 'I could not find the answer to this.';

/** Submits an empty message, and one without an answer. */
async function playAnswers(terminal: TerminalTool, trials: TrialInputRegistry, play: EpisodeStarter): Promise<void> {
  const { name } = terminal;
  const { minimal } = trials.inputsFor(name);
  if (minimal) await play('minimal', (player) => player.call(name, minimal.value, minimal.what));
  const value = terminalToolInput(terminal, NO_ANSWER);
  await play('answer', (player) => player.call(name, value, 'a message without an answer'));
}

/** Returns a function that makes the calls of a run again. */
const callsOf = (run: EpisodeRun) => async (player: EpisodePlayer) => {
  for (const { tool, input, what, isAfterEnd } of run.steps) {
    if (player.isOver() || isAfterEnd) return;
    await player.call(tool, input, what);
  }
};

/** Makes random calls with valid inputs. */
export async function callRandomly(
  player: EpisodePlayer,
  trials: TrialInputRegistry,
  random: () => number,
): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const callable = player.tools.filter(({ name }) => trials.inputsFor(name).valid.length > 0);
  const callAtRandom = async (name: string) => {
    const { value, what } = pick(trials.inputsFor(name).valid);
    const { step: made } = await player.call(name, value, what);
    await trials.learn(made);
    if (made.finished) await player.call(name, value, what);
  };
  for (let step = 0; step < RANDOM_STEPS && callable.length > 0 && !player.isOver(); step++) {
    await callAtRandom(pick(callable).name);
  }
  if (player.terminalTool && !player.isOver()) await callAtRandom(player.terminalTool.name);
}

async function callWithInvalidInputs(
  player: EpisodePlayer,
  trials: TrialInputRegistry,
  source: Environment | undefined,
): Promise<void> {
  for (const tool of player.tools) {
    for (const { value, what } of sampleEvenly(trials.inputsFor(tool.name).invalid, INVALID_INPUTS_PER_TOOL)) {
      if (await isAcceptedByAuthor(tool, value, source)) continue;
      if (!player.isOver()) await player.call(tool.name, value, what);
    }
  }
}

/**
 * Returns true if the author's schema accepts an input that its JSON Schema refuses, such as a text for
 * `z.coerce.number()`.
 */
async function isAcceptedByAuthor(
  { name, input_schema }: ToolSpec,
  input: JSONObject,
  source: Environment | undefined,
): Promise<boolean> {
  const tool = source?.tools.get(name);
  if (!tool?.schema || !equalJson(tool.spec.input_schema, input_schema)) return false;
  try {
    return (await tool.schema.validate(input)).ok;
  } catch {
    return false;
  }
}

/** Returns `size` items of a list at equal distances, beginning with the first. */
export const sampleEvenly = <T>(list: readonly T[], size: number): readonly T[] =>
  list.length <= size
    ? list
    : Array.from({ length: size }, (_, at) => list[Math.floor((at * list.length) / size)] as T);

/** Lets `solve` make the calls, and repeats the call that finishes the episode. */
export async function callBySolve(
  { hooks }: Environment,
  { fullTask }: SampledTask,
  player: EpisodePlayer,
  run: EpisodeRun,
  { timeoutMs, signal }: ValidationSettings,
): Promise<void> {
  const ended = new AbortController();
  const call = async (tool: string, input: JSONObject = {}) => {
    ended.signal.throwIfAborted();
    const made = await player.call(tool, structuredClone(input), '');
    if (made.error !== undefined) throw made.error;
    return outputOf(made);
  };
  const answer = async (text = '') => {
    const { terminalTool } = player;
    if (!terminalTool) throw new Error('the environment has no terminal tool, so that no message can be its answer');
    return call(terminalTool.name, terminalToolInput(terminalTool, text));
  };
  const context = { task: fullTask as never, prompt: player.blocks, tools: player.tools, call, answer };
  const solveTimeoutMs = SOLVE_TIMEOUT_FACTOR * timeoutMs;
  try {
    const hasEnded = await settlesWithin(solveTimeoutMs, hooks.solve?.(context), { signal });
    signal.throwIfAborted();
    if (!hasEnded) run.failure = { stage: 'solve', message: `it did not end within ${solveTimeoutMs / 1000} s` };
  } catch (error) {
    signal.throwIfAborted();
    run.failure = { stage: 'solve', message: errorDetail(error) };
  }
  ended.abort(new Error('solve has timed out'));
  const last = run.steps.findLast(({ finished }) => finished);
  if (last) await player.call(last.tool, last.input, 'the call that finished the episode, again');
}

const outputOf = ({ step, blocks, metadata }: CallObservation) => ({
  blocks,
  text: joinText(blocks),
  reward: step.reward,
  finished: step.finished,
  metadata,
});

/** Number of runs to compare: judges may cost money. */
const MAX_RUNS = 3;

/**
 * Lets the environment compare runs of one task, in two orders.
 *
 * @returns undefined if there are not two runs to compare, or the environment cannot read them.
 */
export async function compareRuns(
  environment: RemoteEnvironment,
  { split, index }: Pick<TaskHandle, 'split' | 'index'>,
  runs: readonly EpisodeRun[],
  settings: ValidationSettings,
): Promise<GroupEvidence | undefined> {
  const comparable = runs.filter(({ kind, steps, repeats }) => kind !== 'invalid' && steps.length > 0 && !repeats);
  const candidates = comparable.slice(0, MAX_RUNS).map(toMessages);
  if (candidates.length < 2) return undefined;
  try {
    const { secrets } = settings;
    const open = (signal: AbortSignal) => environment.session({ split, index }, { secrets, signal });
    await using session = await withDeadline(settings, open);
    const score = async (list: readonly Message[][]) => {
      const scores = await withDeadline(settings, (signal) => session.scoreGroup(list, { signal }));
      return scores.map(({ reward }) => reward);
    };
    const rewards = await score(candidates);
    const reversed = await score(candidates.toReversed());
    return { rewards, reversed: reversed.toReversed() };
  } catch (error) {
    settings.signal.throwIfAborted();
    if (error instanceof ScoreGroupUnsupportedError) return undefined;
    return { failure: errorDetail(error), rewards: [], reversed: [] };
  }
}

/** Returns the calls of a run as the messages of an agent. */
const toMessages = ({ steps, terminalTool }: EpisodeRun): Message[] =>
  steps
    .filter(({ isAfterEnd }) => !isAfterEnd)
    .flatMap((step, position) => (step.tool === terminalTool ? toAnswer(step) : toTurn(step, `call_${position + 1}`)));

function toTurn({ tool: name, input, outcome, text }: CallEvidence, id: string): Message[] {
  const result = { tool_call_id: id, blocks: [{ type: 'text' as const, text }], is_error: outcome !== 'output' };
  return [
    { role: 'assistant', blocks: [{ type: 'tool_call', id, name, input }] },
    { role: 'user', blocks: [{ type: 'tool_result', ...result }] },
  ];
}

const toAnswer = ({ input }: CallEvidence): Message[] => [
  { role: 'assistant', blocks: [{ type: 'text', text: String(Object.values(input)[0] ?? '') }] },
];
