import type { Attack, AttackAttempt, AuditContext, PayingCalls } from '../attack.ts';
import type { TranscriptStep } from '../transcript.ts';

const COPIES = 8;

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
          { ...call, copies },
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
];
