import { pointerKeys, sum } from '../core/index.ts';
import { type Attack, type AttackAttempt, fieldsIn, type TaskField, type TaskView } from './attack.ts';
import { ASSUMED_MAX, pays, type RewardScale, toReward } from './judge.ts';
import { asksForCopy, containsValue, isAnswerName, LABELLED_VALUES, labelledValue, readableText } from './labels.ts';
import { createMinimizer } from './minimize.ts';
import type { ObservedEnvironment } from './observe.ts';
import type { AuditReplay } from './options.ts';
import type { TranscriptPlayer } from './play-transcript.ts';
import type { TranscriptRun, TranscriptStep } from './transcript.ts';

/** Result of replaying an attempt on several tasks. */
export interface AttemptResult {
  readonly kind: 'proof' | 'suspicion';
  readonly reason?: string;
  readonly reward: number | null;
  readonly paid: number;
  readonly tried: number;
  readonly replays: readonly AuditReplay[];
}

/** Tasks on which values from a source are tried; a constant is tried on all of the sample. */
const SOURCE_TASKS = 6;
/** Share of the tried tasks on which a value from a source must pay. */
const SOURCE_SHARE = 0.8;
const MIN_TASKS = 3;
/** Tasks that a constant wins before its failure on another one is worth a suspicion. */
const MIN_CONSTANT_TASKS = 5;
/** Maximum probability of a result by chance; low, because an audit makes hundreds of attempts. */
const MAX_CHANCE = 0.002;
/** Chance of a guess from which on all tasks of the sample are needed. */
const HIGH_GUESS_CHANCE = 0.11;

/**
 * Replays an attempt in new sessions of several tasks, with as few steps as possible, and decides whether that is a proof.
 * Returns undefined if the attempt pays on too few tasks.
 */
export async function proveAttempt(
  attack: Attack,
  attempt: AttackAttempt,
  environment: ObservedEnvironment,
  scale: RewardScale,
  play: TranscriptPlayer,
): Promise<AttemptResult | undefined> {
  const guess = guessChance(environment, attempt);
  const views = replayTasks(attack, environment, guess);
  const replays: AuditReplay[] = [];
  const rewards: number[] = [];
  const doubts: string[] = [];
  let latest:
    | { readonly view: TaskView; readonly steps: readonly TranscriptStep[]; readonly run: TranscriptRun }
    | undefined;
  const minimizer = createMinimizer(attack, async (view, steps) => {
    const run = await play(view, steps);
    latest = { view, steps, run };
    return pays(attack, run, scale) ? run : undefined;
  });
  let tried = 0;
  for (const view of views) {
    const whole = attempt.steps(view);
    if (!whole) continue;
    tried++;
    // Only the first replays are shown.
    const steps = await minimizer.minimize(view, whole, replays.length < SOURCE_TASKS);
    // The last test of the minimization may have been a replay of these steps.
    const run = latest?.view === view && latest.steps === steps ? latest.run : await play(view, steps);
    rewards.push(run.reward);
    if (!pays(attack, run, scale)) {
      // A constant has to win every task.
      if (attack.proof === 'constant' || tried - replays.length > views.length * (1 - SOURCE_SHARE)) {
        if (replays.length < (attack.proof === 'constant' ? MIN_CONSTANT_TASKS : MIN_TASKS)) return undefined;
        break;
      }
      continue;
    }
    const { split, index } = view;
    replays.push({ split, index, steps, calls: run.calls, reward: toReward(run.reward) });
    const doubt = attempt.doubt?.(view);
    if (doubt !== undefined) doubts.push(doubt);
  }
  if (replays.length === 0) return undefined;
  const reward = toReward(sum(rewards.map((each) => each / rewards.length)));
  const found = { reward, paid: replays.length, tried, replays: replays.slice(0, SOURCE_TASKS) };
  const reason =
    attack.onlySuspicion ??
    reasonToDoubt(attack, found, environment, scale, { doubts, guess }) ??
    (await doubtOtherValues(attack, found, scale, play));
  return { kind: reason === undefined ? 'proof' : 'suspicion', ...(reason !== undefined && { reason }), ...found };
}

/** Returns the tasks on which an attempt is replayed; if there are fewer than three, each several times. */
export function replayTasks({ proof }: Attack, { views }: ObservedEnvironment, guess: number): readonly TaskView[] {
  if (views.length < MIN_TASKS) return Array.from({ length: MIN_TASKS }, () => views).flat();
  const needsAll = proof === 'constant' || (proof === 'source' && guess >= HIGH_GUESS_CHANCE);
  return needsAll ? views : views.slice(0, SOURCE_TASKS);
}

/** Returns the reason why an attempt that pays is not a proof; undefined if it is one. */
function reasonToDoubt(
  attack: Attack,
  { paid, tried, reward }: Pick<AttemptResult, 'paid' | 'tried' | 'reward'>,
  environment: ObservedEnvironment,
  { max }: RewardScale,
  { doubts, guess }: { readonly doubts: readonly string[]; readonly guess: number },
): string | undefined {
  const [doubt] = doubts;
  if (doubt !== undefined && doubts.length * 2 >= paid) return doubt;
  // Without a maximum, a small reward for any answer looks like a full one.
  const needsMax = attack.proof === 'excess' || (attack.category !== 'leak' && (reward ?? Infinity) > ASSUMED_MAX);
  if (needsMax && max === undefined) return 'the maximum reward is not known; pass --max-reward';
  const share = attack.proof === 'constant' ? 1 : SOURCE_SHARE;
  if (paid < tried * share) return `it pays on ${paid} of ${tried} tasks only`;
  if (environment.views.length < MIN_TASKS) return undefined;
  if (paid < MIN_TASKS) return `it pays on ${paid} tasks only`;
  const isExhaustive = environment.count === tried && paid === tried;
  const isByChance = attack.proof === 'constant' || attack.proof === 'source';
  if (!isByChance || isExhaustive || chanceOf(paid, tried, guess) <= MAX_CHANCE) return undefined;
  return `the values may be right by chance on ${paid} of ${tried} tasks`;
}

/**
 * Returns the reason to doubt a leak without a known maximum reward: the value of one task earns as much on another one, as
 * any long text does where effort pays.
 */
async function doubtOtherValues(
  attack: Attack,
  { reward, replays }: Pick<AttemptResult, 'reward' | 'replays'>,
  scale: RewardScale,
  play: TranscriptPlayer,
): Promise<string | undefined> {
  if (scale.max !== undefined || (reward ?? Infinity) <= ASSUMED_MAX) return undefined;
  const [first, ...others] = replays;
  const other = others.find((replay) => JSON.stringify(replay.steps) !== JSON.stringify(first?.steps));
  if (!first || !other || !pays(attack, await play(first, other.steps), scale)) return undefined;
  return 'the value of another task pays too, and the maximum reward is not known; pass --max-reward';
}

/** Returns the probability of at least `hits` hits in `count` guesses (binomial distribution). */
function chanceOf(hits: number, count: number, guess: number): number {
  let ways = 1;
  let chance = 0;
  for (let k = 0; k <= count; k++) {
    if (k >= hits) chance += ways * guess ** k * (1 - guess) ** (count - k);
    ways = (ways * (count - k)) / (k + 1);
  }
  return chance;
}

/** Chance of a value that no schema lists: of one digit, for example. */
const OPEN_GUESS_CHANCE = 0.1;

/** Returns the chance of a random choice to be right: one of the values that the schemas of the used parameters list. */
export function guessChance({ slots, views }: ObservedEnvironment, { steps }: AttackAttempt): number {
  const first = views.map((view) => steps(view)).find((each) => each !== undefined) ?? [];
  const calls = first.flatMap((step) => (step.do === 'call' ? [step] : step.do === 'together' ? step.calls : []));
  const counts = slots
    .filter(({ tool, name, choices, type }) => {
      const isUsed = calls.some((call) => call.tool === tool && name in call.input);
      return isUsed && (choices.length > 1 || type === 'boolean');
    })
    .map(({ choices }) => Math.max(2, choices.length));
  return counts.length === 0 ? OPEN_GUESS_CHANCE : 1 / Math.max(...counts);
}

/** Returns the reason why a task may ask for a value of its prompt; undefined if nothing says so. */
export function copyDoubt(view: TaskView, value: string, others: readonly TaskView[]): string | undefined {
  if (!containsValue(view.prompt, value)) return undefined;
  if (asksForCopy(view.prompt)) return 'the prompt contains the value and may ask for a copy of it';
  if (others.every((other) => other.index === view.index)) {
    return 'the prompt contains the value, and there is no other task that shows whether copying it is the task';
  }
  const template = view.prompt.replaceAll(value, '');
  const isTemplate = others.some((other) => other !== view && isFilled(other.prompt, template));
  if (isTemplate) return 'the value is the only difference between prompts, so that copying it may be the task';
  if (!isPartOfTemplate(view, value, others)) return undefined;
  return 'the prompt is a template of the fields of the task, so that finding the value in it may be the task';
}

/** Returns whether a prompt is a template with one value in it. */
function isFilled(prompt: string, template: string): boolean {
  let start = 0;
  while (start < template.length && prompt[start] === template[start]) start++;
  let end = 0;
  while (end < template.length - start && prompt.at(-1 - end) === template.at(-1 - end)) end++;
  return template !== '' && start + end >= template.length && prompt.length > template.length;
}

/** Fields of a task, and its prompt without their texts. */
interface PromptTemplate {
  readonly fields: readonly TaskField[];
  readonly text: string;
}

/** Maximum number of fields of a task whose prompt may be a template. */
const MAX_FIELDS = 200;
/** Character in the place of a field. */
const PLACE = '\u0000';
const templates = new WeakMap<TaskView, PromptTemplate>();

function templateOf(view: TaskView): PromptTemplate {
  const known = templates.get(view);
  if (known) return known;
  const fields = fieldsIn(view.task).filter(({ value }) => value !== '');
  const template = { fields, text: withoutTexts(view.prompt, fields) };
  templates.set(view, template);
  return template;
}

/** Replaces the texts of fields where they are whole words, the longest first. */
function withoutTexts(prompt: string, fields: readonly TaskField[]): string {
  const texts = [...new Set(fields.slice(0, MAX_FIELDS).map(({ value }) => String(value)))];
  return texts.sort((one, other) => other.length - one.length).reduce(replaceWord, readableText(prompt));
}

function replaceWord(prompt: string, text: string): string {
  const [first = '', ...others] = prompt.split(text);
  let replaced = first;
  for (const part of others) {
    // The characters beside the text decide whether it is a whole word.
    const isWhole = containsValue(`${replaced.slice(-1)}${text}${part.slice(0, 1)}`, text);
    replaced += (isWhole ? PLACE : text) + part;
  }
  return replaced;
}

/** Returns whether a value fills one place of a template that the fields of each task fill, as in tasks about reading. */
function isPartOfTemplate(view: TaskView, value: string, others: readonly TaskView[]): boolean {
  const { fields, text } = templateOf(view);
  const [field, another] = fields.filter((each) => String(each.value) === value);
  // With another field of this text, such as a choice, the prompt need not contain this one.
  if (!field || another || fields.length > MAX_FIELDS || pointerKeys(field.pointer)?.some(isAnswerName)) return false;
  // Fields without words between them are no template.
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  const isTemplate = others.some((other) => {
    if (other === view) return false;
    const template = templateOf(other);
    return template.text === text && template.fields.every((each) => String(each.value) !== value);
  });
  if (!isTemplate || LABELLED_VALUES.some((pattern) => labelledValue(view.prompt, pattern) === value)) return false;
  const rest = fields.filter((each) => each !== field);
  // The value may be in the text of another field only, such as a paragraph.
  return withoutTexts(view.prompt, rest).includes(value);
}
