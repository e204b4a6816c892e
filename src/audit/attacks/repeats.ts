import {
  type Attack,
  type AttackAttempt,
  type AuditContext,
  type PayingCalls,
  pairsOf,
  showCall,
  simpleCalls,
} from '../attack.ts';
import type { CallStep, TranscriptStep } from '../transcript.ts';

const COPIES = 8;
/** Pairs of calls that are made at the same time. */
const MAX_PAIRS = 24;

/** Returns an attempt whose steps follow from the calls that earn a reward on a task. */
const withPaying = (
  what: string,
  steps: (paying: PayingCalls) => readonly TranscriptStep[] | undefined,
): AttackAttempt => ({ what, steps: ({ paying }) => paying && steps(paying) });

export const repeats: readonly Attack[] = [
  {
    id: 'AUDIT-REPEAT-01',
    category: 'repeat',
    title: 'The same call pays twice',
    advice: 'Remember what has been paid, and finish the episode with the full reward.',
    proof: 'excess',
    paying: 'needed',
    attempts: () => [
      withPaying('the call that earns the reward is made 24 times', ({ before, call, finishes }) =>
        finishes ? undefined : [...before, ...Array.from({ length: 24 }, () => call)],
      ),
    ],
  },
  {
    id: 'AUDIT-REPEAT-02',
    category: 'repeat',
    title: 'The same call pays twice if it is made twice at the same time',
    advice: 'Mark the reward as paid before the first await, or set the mode of the tool to exclusive.',
    proof: 'excess',
    paying: 'needed',
    attempts: () =>
      [2, COPIES].map((copies) =>
        withPaying(`the call that earns the reward is made ${copies} times at once`, ({ before, call }) => [
          ...before,
          { do: 'together', calls: Array.from({ length: copies }, () => call) },
        ]),
      ),
  },
  {
    id: 'AUDIT-REPEAT-03',
    category: 'repeat',
    title: 'A finished episode pays again',
    advice: 'Refuse calls after the end of an episode.',
    proof: 'after-end',
    paying: 'used',
    *attempts({ tools, inputsOf }: AuditContext) {
      yield withPaying('the call that finishes the episode is made again', ({ before, call }) => [
        ...before,
        call,
        call,
      ]);
      for (const { name: tool } of tools) {
        const input = inputsOf(tool)[0] ?? {};
        const last: TranscriptStep = { do: 'call', tool, input };
        yield { what: `${tool} is called twice, the second time after the end`, steps: () => [last, last] };
        yield {
          what: `the call that earns the reward is made after ${tool} has finished the episode`,
          steps: ({ paying }) => paying && [last, ...paying.before, paying.call],
        };
      }
    },
  },
  {
    id: 'AUDIT-REPEAT-04',
    category: 'repeat',
    title: 'The winning call of one task wins the others',
    advice: 'Grade the answer against the task of the session.',
    proof: 'constant',
    paying: 'needed',
    *attempts({ views }) {
      for (const { paying, index } of views.filter((view) => view.paying !== undefined).slice(0, 2)) {
        const steps = paying ? [...paying.before, paying.call] : [];
        // Calls of `solve` know this task, but not the others.
        const known = steps.map(({ isHonest: _isHonest, ...step }) => step);
        yield { what: `the calls that win task ${index} are made on every task`, steps: () => known };
      }
    },
  },
  {
    id: 'AUDIT-REPEAT-05',
    category: 'repeat',
    title: 'The same call runs twice under one task_id, and pays twice',
    advice: 'Return the first result to a request with a known task_id, also while the call still runs.',
    proof: 'excess',
    paying: 'needed',
    attempts: () =>
      (['after', 'during'] as const).map((again) =>
        withPaying(
          `the call that earns the reward is requested again with its task_id ${again === 'after' ? 'after its result' : 'while it runs'}`,
          ({ before, call }) => [...before, { ...call, again }],
        ),
      ),
  },
  {
    id: 'AUDIT-REPEAT-06',
    category: 'repeat',
    title: 'Two tools at the same time earn more than the maximum',
    advice: 'Mark the reward as paid before the first await, or set the mode of both tools to exclusive.',
    proof: 'excess',
    paying: 'used',
    *attempts(context) {
      for (const { name: tool } of context.tools) {
        const other: CallStep = { do: 'call', tool, input: context.inputsOf(tool)[0] ?? {} };
        yield withPaying(`the call that earns the reward is made together with ${tool}`, ({ before, call }) =>
          call.tool === tool ? undefined : [...before, { do: 'together', calls: [call, other] }],
        );
      }
      const isOther = (one: CallStep, other: CallStep) => one.tool !== other.tool;
      for (const [one, other] of pairsOf(simpleCalls(context), MAX_PAIRS, isOther)) {
        yield {
          what: `${showCall(one)} and ${showCall(other)} at the same time`,
          steps: () => [{ do: 'together', calls: [one, other] }],
        };
      }
    },
  },
];
