import type { Attack, TaskView } from './attack.ts';
import { minimizeSteps, type TranscriptRun, type TranscriptStep } from './transcript.ts';

/** Sessions for the minimization of a transcript. */
const MAX_TESTS = 60;
/** Texts of this length are not shortened. */
const SHORT_LENGTH = 100;
const MAX_HALVINGS = 20;

/** Returns the maximum number of runs of a transcript for its minimization and its replay on one task. */
export function maxRuns({ keepsSteps, proof }: Attack, { length }: readonly TranscriptStep[]): number {
  const ofSteps = keepsSteps || length < 2 ? 0 : 3 + MAX_TESTS;
  const ofTexts = proof === 'constant' ? 1 + MAX_HALVINGS : 0;
  return ofSteps + ofTexts + 1;
}

/** Plays steps; undefined if they do not pay. */
type PlayPaying = (view: TaskView, steps: readonly TranscriptStep[]) => Promise<TranscriptRun | undefined>;

/**
 * Creates a function that returns the needed steps of a transcript on a task. It minimizes on the first task on which the
 * transcript pays, and tries the same positions on the others.
 */
export function createMinimizer({ keepsSteps, proof }: Attack, playPaying: PlayPaying) {
  const isPaying = async (view: TaskView, steps: readonly TranscriptStep[]) =>
    (await playPaying(view, steps)) !== undefined;
  let kept: readonly number[] | undefined;
  /** Steps with shorter texts; the same for all tasks, unless these need different ones of the steps. */
  let shortened: readonly TranscriptStep[] | undefined;

  async function positionsOn(view: TaskView, whole: readonly TranscriptStep[]): Promise<readonly number[] | undefined> {
    const run = keepsSteps || whole.length < 2 ? undefined : await playPaying(view, whole);
    if (!run) return undefined;
    const paid = paidPositions(whole, run);
    const isEnough = paid.length > 0 && paid.length < whole.length && (await isPaying(view, pick(whole, paid)));
    const needed = isEnough ? paid : [...whole.keys()];
    const at = (positions: readonly number[]) => positions.flatMap((each) => needed[each] ?? []);
    return at(await minimizeSteps(needed.length, MAX_TESTS, (positions) => isPaying(view, pick(whole, at(positions)))));
  }

  async function stepsOn(
    view: TaskView,
    whole: readonly TranscriptStep[],
    isShown: boolean,
  ): Promise<readonly TranscriptStep[]> {
    if (kept) {
      const steps = pick(whole, kept);
      if (await isPaying(view, steps)) return steps;
    }
    if (!isShown) return whole;
    const own = await positionsOn(view, whole);
    kept ??= own;
    return own ? pick(whole, own) : whole;
  }

  return {
    /** Returns the needed steps. @param isShown false for steps that only have to pay: all, unless those of other tasks do. */
    async minimize(
      view: TaskView,
      whole: readonly TranscriptStep[],
      isShown: boolean,
    ): Promise<readonly TranscriptStep[]> {
      if (shortened && (await isPaying(view, shortened))) return shortened;
      const steps = await stepsOn(view, whole, isShown);
      if (proof !== 'constant' || shortened) return steps;
      shortened = await shortenTexts(steps, (shorter) => isPaying(view, shorter));
      return shortened;
    },
  };
}

/** Returns the positions of calls that earned a reward; none if steps and calls do not correspond. */
function paidPositions(steps: readonly TranscriptStep[], { calls }: TranscriptRun): readonly number[] {
  if (calls.length !== steps.length || steps.some((step) => step.do !== 'call')) return [];
  return calls.flatMap(({ reward }, at) => ((reward ?? 0) > 0 ? [at] : []));
}

const pick = (steps: readonly TranscriptStep[], positions: readonly number[]): readonly TranscriptStep[] =>
  positions.flatMap((at) => steps[at] ?? []);

/** Halves long texts of inputs as long as the steps pay. */
async function shortenTexts(
  steps: readonly TranscriptStep[],
  isPayingWith: (steps: readonly TranscriptStep[]) => Promise<boolean>,
): Promise<readonly TranscriptStep[]> {
  let shortest = steps;
  for (let halvings = 0; halvings < MAX_HALVINGS; halvings++) {
    const shorter = shortest.map(halveTexts);
    const isShorter = shorter.some((step, at) => step !== shortest[at]);
    if (!isShorter || !(await isPayingWith(shorter))) break;
    shortest = shorter;
  }
  return shortest;
}

function halveTexts(step: TranscriptStep): TranscriptStep {
  if (step.do !== 'call') return step;
  const entries = Object.entries(step.input);
  const isLong = entries.some(([, value]) => typeof value === 'string' && value.length > SHORT_LENGTH);
  if (!isLong) return step;
  const input = entries.map(([name, value]) => {
    const isText = typeof value === 'string' && value.length > SHORT_LENGTH;
    return [name, isText ? value.slice(0, Math.ceil(value.length / 2)) : value];
  });
  return { ...step, input: Object.fromEntries(input) };
}
