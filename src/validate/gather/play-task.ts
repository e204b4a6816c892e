import type { RemoteEnvironment } from '../../client/index.ts';
import { seededRandom, settlesWithin } from '../../core/index.ts';
import type { Environment } from '../../environment/index.ts';
import { type JSONObject, type ToolSpec, textOf } from '../../protocol/index.ts';
import type { Run, RunKind, TaskEvidence } from '../evidence.ts';
import type { Terms } from './options.ts';
import { type Call, detailOf, playRun, type Table } from './play-run.ts';
import { pick, spread } from './sample.ts';
import type { ToolTrials } from './trials.ts';

/** One environment, from each side that there is. */
export interface Subject {
  readonly remote: RemoteEnvironment;
  /** The same in a second copy of its module. */
  readonly fresh: RemoteEnvironment | undefined;
  readonly source: Environment | undefined;
}

export interface Place {
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
  { remote, fresh, source }: Subject,
  place: Place,
  trials: ToolTrials,
  terms: Terms,
): Promise<TaskEvidence> {
  const { index, shown, whole } = place;
  const runs: Run[] = [];
  const play = async (kind: RunKind, how?: (table: Table, run: Run) => Promise<unknown>, repeats?: Run) => {
    const run = await playRun(remote, place, { kind, ...(repeats && { repeats }) }, terms, how);
    runs.push(run);
    return run;
  };
  let tools: readonly ToolSpec[] = [];
  const idle = await play('idle', async (table) => {
    tools = table.tools;
  });
  const evidence = { index, shown, whole, runs };
  if (idle.failure) return evidence;
  await trials.learn(tools);
  if (fresh) runs.push(await playRun(fresh, place, { kind: 'fresh' }, terms));

  if (source?.author.solve) {
    const solved = await play('solve', (table, run) => solve(source, place, table, run, terms));
    await play('solve', repeating(solved), solved);
  }
  const random = await play('random', (table) => playRandomly(table, trials, seededRandom(terms.seed + index)));
  await play('random', repeating(random), random);
  for (const { name } of tools) {
    const { least, full } = trials.of(name);
    if (least) await play('least', (table) => table.call(name, least.value, least.what));
    if (full && place.isFirst) await play('full', (table) => table.call(name, full.value, full.what));
  }
  await play('invalid', (table) => callInvalidly(table, trials));
  return evidence;
}

const repeating = (run: Run) => async (table: Table) => {
  for (const { tool, input, what, isAfterEnd } of run.steps) {
    if (table.isOver() || isAfterEnd) return;
    await table.call(tool, input, what);
  }
};

async function playRandomly(table: Table, trials: ToolTrials, random: () => number): Promise<void> {
  const callable = table.tools.filter(({ name }) => trials.of(name).valid.length > 0);
  if (callable.length === 0) return;
  for (let step = 0; step < RANDOM_STEPS && !table.isOver(); step++) {
    const { name } = pick(callable, random);
    const { value, what } = pick(trials.of(name).valid, random);
    const { step: made } = await table.call(name, value, what);
    if (made.finished) await table.call(name, value, what);
  }
}

async function callInvalidly(table: Table, trials: ToolTrials): Promise<void> {
  for (const { name } of table.tools) {
    for (const { value, what } of spread(trials.of(name).invalid, INVALID_A_TOOL)) {
      if (!table.isOver()) await table.call(name, value, what);
    }
  }
}

/** Has the environment play itself, and asks once more when it is finished. */
async function solve(
  { author }: Environment,
  { whole }: Place,
  table: Table,
  run: Run,
  { timeoutMs, signal }: Terms,
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
    const hasEnded = await settlesWithin(SOLVE_TIMES * timeoutMs, author.solve?.(context), { signal });
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

const outputOf = ({ step, blocks, metadata }: Call) => ({
  blocks,
  text: textOf(blocks),
  reward: step.reward,
  finished: step.finished,
  metadata,
});
