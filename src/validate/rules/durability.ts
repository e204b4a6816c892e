import { plural, previewJson } from '../../core/index.ts';
import type { Durability } from '../../environment/index.ts';
import { type Evidence, noSource, type ReturnEvidence, type ReturnProblem, uniqueBy } from '../evidence.ts';
import { excerpt, formatCall, type RuleFinding, truncateLine, type ValidationRule } from '../finding.ts';

export const durabilityRules: readonly ValidationRule[] = [
  {
    name: 'episodes-come-back',
    // Without a return, a snapshot cannot be blamed for results that differ.
    levels: ['error', 'warning'],
    sentence: 'A durable episode returns the same results if it comes back from a journal after any of its calls',
    explanation:
      'With a journal, an episode continues on another server, and neither agent nor trainer may notice. Episodes of ' +
      'solve and of random calls are played with a journal in memory. Each is continued after up to 7 of its calls, ' +
      'alone and beside another episode, with the same calls, random numbers, time and session id. Blocks, metadata, ' +
      'rewards and the end are compared. Take random numbers and the time from `random` and `now` of the context, keep ' +
      'state in the state of the episode only, and save all of it in `snapshot`.',
    untested(evidence) {
      const source = noSource(evidence);
      if (source !== undefined) return source;
      if (!evidence.durability) return 'the environment does not say how an episode comes back';
      return returnsOf(evidence).length > 0 ? undefined : 'no episode with a call could be continued';
    },
    *check(evidence) {
      const problems = returnsOf(evidence).flatMap((item) => (item.problem ? { ...item, problem: item.problem } : []));
      const found = problems.map(({ split, index, ...item }) => {
        const level: RuleFinding['level'] =
          evidence.durability === 'snapshot' && item.how === 'played again' ? 'warning' : 'error';
        return { split, index, level, message: describeProblem(item, evidence.durability) };
      });
      yield* uniqueBy(found, ({ split, index, message }) => `${split} ${index} ${message}`);
    },
  },
];

const returnsOf = ({ splits }: Evidence) =>
  splits.flatMap(({ name: split, tasks }) =>
    tasks.flatMap(({ index, returns = [] }) => returns.map((item) => ({ split, index, ...item }))),
  );

/** Names the call and the first difference, and says what to change. */
function describeProblem(
  { at, how, problem }: ReturnEvidence & { readonly problem: ReturnProblem },
  durability: Durability | undefined,
): string {
  const what = describeResult(problem);
  const restore = durability === 'snapshot' ? 'restore' : 'setup';
  switch (how) {
    case 'not stored':
      return `${what}; snapshot must succeed after every call`;
    case 'played again': {
      const advice =
        'use random and now of the context instead of Math.random and Date.now, and keep no state elsewhere';
      const purpose = durability === 'snapshot' ? ', so that its snapshots can be tested' : '';
      return `a new episode with the same random numbers and time did not repeat: ${what}; ${advice}${purpose}`;
    }
    case 'alone': {
      const advice =
        durability === 'snapshot'
          ? 'snapshot lacks a part of the state, or restore does not return it'
          : 'its results depend on more than the task, the calls, and random and now of the context';
      return `an episode that came back after ${plural(at, 'call')} did not continue as before: ${what}; ${advice}`;
    }
    case 'beside another': {
      const advice = `return a new object from ${restore}, and keep state in it only`;
      return `two episodes that came back after ${plural(at, 'call')} changed each other: ${what}; ${advice}`;
    }
  }
}

function describeResult({ call, difference, message = '' }: ReturnProblem): string {
  if (!call) return truncateLine(message, 300);
  const name = `call ${call.number}, ${formatCall(call)},`;
  if (!difference) return `${name} failed: ${truncateLine(message, 200)}`;
  const { path, before, after } = difference;
  return `${name} returned ${describeValue(before, after)} and then ${describeValue(after, before)} as ${path || 'its result'}`;
}

function describeValue(value: unknown, other: unknown): string {
  if (typeof value !== 'string') return value === undefined ? 'nothing' : previewJson(value, 60);
  return `'${typeof other === 'string' ? excerpt(value, other) : truncateLine(value, 60)}'`;
}
