import { sum } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import type { Attack, AttackAttempt, PayingCalls, TaskView } from './attack.ts';
import { FLOOR_SESSIONS } from './floor.ts';
import { maxRuns } from './minimize.ts';
import type { ObservedEnvironment } from './observe.ts';
import type { AttackResult, AuditPlan } from './options.ts';
import { MAX_SOLVE_CALLS, MAX_TRIES, PAYING_TASKS } from './paying-calls.ts';
import type { AuditBudget } from './play-transcript.ts';
import { guessChance, replayTasks } from './prove.ts';
import { type CallStep, MAIN, type TranscriptStep } from './transcript.ts';

/** Tasks on which an attempt is explored before it is replayed on all. */
const EXPLORED_TASKS = 2;

/** Returns the tasks on which the attempts of an attack are explored. */
export const exploredTasks = ({ proof }: Attack, { views }: ObservedEnvironment): readonly TaskView[] =>
  views.slice(0, proof === 'constant' ? 1 : EXPLORED_TASKS);

/** Returns the reason why no attack can be made; undefined if a tool can be called. */
export function reasonNotToCall({ tools, skippedTools }: ObservedEnvironment): string | undefined {
  if (tools.length > 0) return undefined;
  if (skippedTools.length === 0) return 'no tool can be called';
  return 'the effects of all tools cannot be undone; pass --i-own-this if the environment is yours';
}

/** Returns the reason why an attack cannot be made; undefined if it can. */
export function reasonToSkip({ paying: use }: Attack, environment: ObservedEnvironment): string | undefined {
  const nothingToCall = reasonNotToCall(environment);
  if (nothingToCall !== undefined) return nothingToCall;
  const hasPaying = environment.views.some(({ paying }) => paying !== undefined);
  return use === 'needed' && !hasPaying ? 'no call that earns a reward is known' : undefined;
}

interface Work {
  readonly sessions: number;
  readonly calls: number;
}

const addWork = (works: readonly Work[]): Work => ({
  sessions: sum(works.map(({ sessions }) => sessions)),
  calls: sum(works.map(({ calls }) => calls)),
});

const repeatWork = ({ sessions, calls }: Work, times: number): Work => ({
  sessions: sessions * times,
  calls: calls * times,
});

/**
 * Counts what a run of the attacks needs at most. Only a run finds the calls that earn a reward, so the attacks that repeat
 * them get the longest ones.
 */
export function planAttacks(
  observed: ObservedEnvironment,
  selected: readonly Attack[],
  budget: AuditBudget,
  hasSolve: boolean,
): { readonly results: AttackResult[]; readonly plan: AuditPlan } {
  const needsPaying = selected.some(({ paying }) => paying !== undefined);
  const paying = needsPaying ? longestPaying(observed, hasSolve) : undefined;
  const views = observed.views.map((view, at) => (at < PAYING_TASKS ? { ...view, paying } : view));
  const environment = { ...observed, views };
  const results: AttackResult[] = [];
  const explored: Work[] = [{ sessions: budget.sessions, calls: budget.calls }];
  if (observed.tools.length > 0) explored.push({ sessions: FLOOR_SESSIONS, calls: FLOOR_SESSIONS });
  if (needsPaying) {
    explored.push(repeatWork({ sessions: MAX_TRIES, calls: MAX_TRIES }, PAYING_TASKS));
    if (hasSolve) explored.push(repeatWork({ sessions: 1, calls: MAX_SOLVE_CALLS }, PAYING_TASKS));
  }
  const replayed: Work[] = [];
  for (const attack of selected) {
    const attempts = reasonToSkip(attack, environment) === undefined ? [...attack.attempts(environment)] : [];
    results.push({ attack: attack.id, state: 'skipped', reason: 'dry run', attempts: attempts.length });
    for (const attempt of attempts) {
      explored.push(addWork(exploredTasks(attack, environment).map((view) => workOf(attempt.steps(view)))));
      replayed.push(replayWork(attack, attempt, environment));
    }
  }
  const limit = ({ sessions, calls }: Work): Work => ({
    sessions: Math.min(sessions, budget.maxSessions),
    calls: Math.min(calls, budget.maxCalls),
  });
  const attempts = sum(results.map((result) => result.attempts));
  const exploration = limit(addWork(explored));
  return { results, plan: { attempts, ...limit(addWork([...explored, ...replayed])), exploration } };
}

function replayWork(attack: Attack, attempt: AttackAttempt, environment: ObservedEnvironment): Work {
  const tasks = replayTasks(attack, environment, guessChance(environment, attempt));
  return addWork(
    tasks.map((view, at) => {
      const steps = attempt.steps(view);
      // The first task may be played once more, with the steps of another one.
      return repeatWork(workOf(steps), maxRuns(attack, steps ?? []) + (at === 0 ? 1 : 0));
    }),
  );
}

/** Returns what one run of a transcript needs at most: a session by name, and another one after each that is closed. */
function workOf(steps: readonly TranscriptStep[] | undefined): Work {
  if (!steps) return { sessions: 0, calls: 0 };
  const calls = steps.flatMap((step) => (step.do === 'call' ? [step] : step.do === 'together' ? step.calls : []));
  const opened = steps.flatMap((step) => (step.do === 'open' ? [step] : []));
  const names = new Set([MAIN, ...[...calls, ...opened].map(({ session = MAIN }) => session)]);
  const closed = steps.filter((step) => step.do === 'close').length;
  return { sessions: names.size + closed, calls: sum(calls.map(({ again }) => (again ? 2 : 1))) };
}

/** Text with as many other spellings and prefixes as are tried. */
const LONG_TEXT = `aEo${'x'.repeat(40)}`;

/** Returns the longest calls that may earn a reward: of the tool with the most texts, after those of `solve`. */
function longestPaying({ tools, slots, inputsOf }: ObservedEnvironment, hasSolve: boolean): PayingCalls | undefined {
  const inputs = tools.map(({ name: tool }): CallStep => {
    const texts = slots.filter((slot) => slot.tool === tool).map(({ name }) => [name, LONG_TEXT] as const);
    const input: JSONObject = { ...inputsOf(tool)[0], ...Object.fromEntries(texts) };
    return { do: 'call', tool, input };
  });
  const countOf = ({ input }: CallStep) => Object.values(input).filter((value) => typeof value === 'string').length;
  const [call] = inputs.sort((one, other) => countOf(other) - countOf(one));
  if (!call) return undefined;
  const before = Array.from({ length: hasSolve ? MAX_SOLVE_CALLS - 1 : 0 }, () => call);
  return { before, call, reward: 1, finishes: false };
}
