import type { RemoteEnvironment } from '../../client/index.ts';
import { seededRandom, settlesWithin } from '../../core/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type JSONObject, joinText, type ToolSpec } from '../../protocol/index.ts';
import type { EpisodeRun, EpisodeRunKind, TaskEvidence } from '../evidence.ts';
import type { ValidationSettings } from './options.ts';
import { type CallObservation, detailOf, type EpisodeRunHandle, playEpisodeRun } from './play-run.ts';
import { pick, spreadSample } from './sample.ts';
import type { TrialInputRegistry } from './trials.ts';

/** One environment, from each side that there is. */
export interface ValidatedEnvironment {
  readonly remote: RemoteEnvironment;
  /** The same in a second copy of its module. */
  readonly secondCopy: RemoteEnvironment | undefined;
  readonly source: Environment | undefined;
}

export interface SampledTask {
  readonly split: string;
  readonly index: number;
  /** What clients see of the task, and what the environment does. */
  readonly shown: JSONObject;
  readonly whole: JSONObject | undefined;
  /** Whether inputs with all parameters are tried too, which is once a split. */
  readonly isFirst: boolean;
}

const RANDOM_STEPS = 8;
const INVALID_A_TOOL = 6;
/** `solve` may make some calls, each with a time of its own. */
const SOLVE_TIMES = 10;

/** Plays a task in all ways, one episode after the other, so that nothing but the environment makes two runs differ. */
export async function playTask(
  { remote, secondCopy, source }: ValidatedEnvironment,
  place: SampledTask,
  trials: TrialInputRegistry,
  terms: ValidationSettings,
): Promise<TaskEvidence> {
  const { index, shown, whole } = place;
  const runs: EpisodeRun[] = [];
  const play = async (
    kind: EpisodeRunKind,
    how?: (table: EpisodeRunHandle, run: EpisodeRun) => Promise<unknown>,
    repeats?: EpisodeRun,
  ) => {
    const run = await playEpisodeRun(remote, place, { kind, ...(repeats && { repeats }) }, terms, how);
    runs.push(run);
    return run;
  };
  let tools: readonly ToolSpec[] = [];
  const idle = await play('idle', async (table) => {
    tools = table.tools;
  });
  const evidence = { index, publicTask: shown, fullTask: whole, runs };
  if (idle.failure) return evidence;
  await trials.addTools(tools);
  if (secondCopy) runs.push(await playEpisodeRun(secondCopy, place, { kind: 'fresh' }, terms));

  if (source?.hooks.solve) {
    const solved = await play('solve', (table, run) => solve(source, place, table, run, terms));
    await play('solve', repeating(solved), solved);
  }
  const random = await play('random', (table) => playRandomly(table, trials, seededRandom(terms.seed + index)));
  await play('random', repeating(random), random);
  for (const { name } of tools) {
    const { minimal: min, full } = trials.inputsFor(name);
    if (min) await play('least', (table) => table.call(name, min.value, min.what));
    if (full && place.isFirst) await play('full', (table) => table.call(name, full.value, full.what));
  }
  await play('invalid', (table) => callInvalidly(table, trials));
  return evidence;
}

const repeating = (run: EpisodeRun) => async (table: EpisodeRunHandle) => {
  for (const { tool, input, what, isAfterEnd } of run.steps) {
    if (table.isOver() || isAfterEnd) return;
    await table.call(tool, input, what);
  }
};

async function playRandomly(table: EpisodeRunHandle, trials: TrialInputRegistry, random: () => number): Promise<void> {
  const callable = table.tools.filter(({ name }) => trials.inputsFor(name).valid.length > 0);
  if (callable.length === 0) return;
  for (let step = 0; step < RANDOM_STEPS && !table.isOver(); step++) {
    const { name } = pick(callable, random);
    const { value, what } = pick(trials.inputsFor(name).valid, random);
    const { step: made } = await table.call(name, value, what);
    if (made.finished) await table.call(name, value, what);
  }
}

async function callInvalidly(table: EpisodeRunHandle, trials: TrialInputRegistry): Promise<void> {
  for (const { name } of table.tools) {
    for (const { value, what } of spreadSample(trials.inputsFor(name).invalid, INVALID_A_TOOL)) {
      if (!table.isOver()) await table.call(name, value, what);
    }
  }
}

/** Has the environment play itself, and asks once more when it is finished. */
async function solve(
  { hooks }: Environment,
  { whole }: SampledTask,
  table: EpisodeRunHandle,
  run: EpisodeRun,
  { timeoutMs, signal }: ValidationSettings,
): Promise<void> {
  const ended = new AbortController();
  const call = async (tool: string, input: JSONObject = {}) => {
    ended.signal.throwIfAborted();
    const made = await table.call(tool, structuredClone(input), '');
    if (made.error !== undefined) throw made.error;
    return outputOf(made);
  };
  const context = { task: whole as never, prompt: table.blocks, tools: table.tools, call };
  try {
    const hasEnded = await settlesWithin(SOLVE_TIMES * timeoutMs, hooks.solve?.(context), { signal });
    signal.throwIfAborted();
    if (!hasEnded)
      run.failure = { stage: 'solve', message: `it did not end within ${(SOLVE_TIMES * timeoutMs) / 1000} s` };
  } catch (error) {
    signal.throwIfAborted();
    run.failure = { stage: 'solve', message: detailOf(error) };
  }
  ended.abort(new Error('the time of solve is over'));
  const last = run.steps.findLast(({ finished }) => finished);
  if (last) await table.call(last.tool, last.input, 'the call that finished the episode, once more');
}

const outputOf = ({ step, blocks, metadata }: CallObservation) => ({
  blocks,
  text: joinText(blocks),
  reward: step.reward,
  finished: step.finished,
  metadata,
});
