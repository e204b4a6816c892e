import type { Attack, AuditContext } from '../attack.ts';
import { randomCalls } from '../floor.ts';
import { type CallStep, MAIN, type TranscriptStep } from '../transcript.ts';

/** Longest wait of a transcript. */
const WAIT_MS = 1_200;

/** Returns one call with a minimal input per tool. */
const minimalCalls = ({ tools, inputsOf }: AuditContext): readonly CallStep[] =>
  tools.map(({ name: tool }) => ({ do: 'call', tool, input: inputsOf(tool)[0] ?? {} }));

const inOther = (calls: readonly CallStep[]): readonly TranscriptStep[] =>
  calls.map((call) => ({ ...call, session: 'other' }));

export const states: readonly Attack[] = [
  {
    id: 'AUDIT-STATE-01',
    category: 'state',
    title: 'What an earlier session did pays in a new one',
    advice: 'Keep the state of an episode in what setup returns, not in variables of the module or in shared files.',
    proof: 'source',
    paying: 'used',
    keepsSteps: true,
    *attempts(context) {
      for (const last of minimalCalls(context)) {
        yield {
          what: `${last.tool} after a session that has won the task`,
          steps: ({ paying }) =>
            paying && [
              ...inOther([...paying.before, paying.call]),
              { do: 'close', session: 'other' },
              { do: 'open', session: MAIN },
              last,
            ],
        };
        yield {
          what: `${last.tool} after a session with random calls`,
          steps: (view) => [
            ...inOther(randomCalls(context, view, 7)),
            { do: 'close', session: 'other' },
            { do: 'open', session: MAIN },
            last,
          ],
        };
      }
    },
  },
  {
    id: 'AUDIT-STATE-02',
    category: 'state',
    title: 'What a session of another task does pays in this one',
    advice: 'Keep the state of an episode by its session, not by a name that sessions share.',
    proof: 'source',
    paying: 'used',
    keepsSteps: true,
    *attempts(context) {
      const [winner] = context.views.filter(({ paying }) => paying !== undefined);
      for (const last of minimalCalls(context)) {
        yield {
          what: `${last.tool} while a session of another task is open that has won`,
          steps: (view) => {
            const { paying, index } = winner ?? {};
            if (!paying || index === view.index) return undefined;
            const open: TranscriptStep = { do: 'open', session: 'other', ...(index !== undefined && { index }) };
            return [open, { do: 'open', session: MAIN }, ...inOther([...paying.before, paying.call]), last];
          },
        };
      }
    },
  },
  {
    id: 'AUDIT-STATE-03',
    category: 'state',
    title: 'Waiting earns a reward',
    advice: 'Do not pay for time.',
    proof: 'constant',
    *attempts(context) {
      for (const last of minimalCalls(context)) {
        yield {
          what: `${last.tool} after ${WAIT_MS} ms without a call`,
          steps: () => [{ do: 'open', session: MAIN }, { do: 'wait', ms: WAIT_MS }, last],
        };
      }
    },
  },
];
