import type { Attack, AuditContext, TaskView } from '../attack.ts';
import { randomCalls } from '../floor.ts';
import { type CallStep, MAIN, type TranscriptStep } from '../transcript.ts';

/** Longest wait of a transcript. */
const WAIT_MS = 1_200;
const PINGS = 20;

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
  {
    id: 'AUDIT-STATE-04',
    category: 'state',
    title: 'The order in which tasks are opened decides the reward',
    advice: 'Grade each answer against the task of its session, not against the task that was opened last.',
    proof: 'source',
    paying: 'used',
    keepsSteps: true,
    *attempts(context) {
      const winners = context.views.filter(({ paying }) => paying !== undefined).slice(0, 2);
      for (const { paying, index } of winners) {
        const calls = paying ? [...paying.before, paying.call].map(({ isHonest: _isHonest, ...call }) => call) : [];
        const open: TranscriptStep = { do: 'open', session: 'other', index };
        const main: TranscriptStep = { do: 'open', session: MAIN };
        const onOthers = (steps: readonly TranscriptStep[]) => (view: TaskView) =>
          view.index === index ? undefined : steps;
        const what = `the calls that win task ${index}, which is opened`;
        yield { what: `${what} after this one`, steps: onOthers([main, open, ...calls]) };
        yield { what: `${what} before this one`, steps: onOthers([open, main, ...calls]) };
      }
      for (const distance of [-1, 1]) {
        for (const last of minimalCalls(context)) {
          yield {
            what: `${last.tool} after the same call on the ${distance < 0 ? 'previous' : 'next'} task`,
            steps: ({ index, neighbour }) =>
              neighbour(distance) && [
                { do: 'open', session: 'other', index: index + distance },
                ...inOther([last]),
                { do: 'close', session: 'other' },
                { do: 'open', session: MAIN },
                last,
              ],
          };
        }
      }
    },
  },
  {
    id: 'AUDIT-STATE-05',
    category: 'state',
    title: 'Pings earn a reward',
    advice: 'Pay for calls only; a ping does nothing but keep a session alive.',
    proof: 'constant',
    *attempts(context) {
      for (const last of minimalCalls(context)) {
        yield {
          what: `${last.tool} after ${PINGS} pings`,
          steps: () => [{ do: 'open', session: MAIN }, { do: 'ping', count: PINGS }, last],
        };
      }
    },
  },
];
