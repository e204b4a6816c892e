import type { Mutant } from '../mutant.ts';
import { changedResult, isFor, type WireAnswer } from '../wire.ts';
import { aroundSetup, bodyOf, fixtureTask, sidOf } from './change.ts';

const textResult = (text: string) => ({
  ok: true,
  output: { blocks: [{ text, detail: null, type: 'text' }], metadata: null, reward: null, finished: false },
});

export const stateMutants: readonly Mutant[] = [
  {
    name: 'a prompt that is requested again is that of the first session',
    caughtBy: ['session/own-prompt'],
    wire: () => {
      const asked = new Set<string>();
      let first: WireAnswer | undefined;
      return {
        answer(answer, request) {
          if (!isFor(request, 'prompt') || !answer.body.includes('"Conformance task train-')) return answer;
          if (answer.body.includes('train-0')) first ??= answer;
          if (asked.has(sidOf(request))) return first ?? answer;
          asked.add(sidOf(request));
          return answer;
        },
      };
    },
  },
  {
    name: 'sessions with the same inline task share their state',
    caughtBy: ['session/state-isolated'],
    server: () => {
      const states = new Map<unknown, unknown>();
      return {
        environments: aroundSetup(async (setup, context) => {
          const state = await setup(context);
          const { id } = fixtureTask(context);
          if (typeof id !== 'string' || /^(train|hard)-/.test(id)) return state;
          if (!states.has(id)) states.set(id, state);
          return states.get(id);
        }),
      };
    },
  },
  {
    name: 'a number beyond ten is added to 0',
    caughtBy: ['session/state-lasts'],
    wire: () => ({
      frames: changedResult((result, request) => {
        const { name, input } = bodyOf(request) as { name?: string; input?: { by?: number } };
        const by = Number(input?.by);
        return name === 'count' && by > 10 && by < 100 ? textResult(String(by)) : result;
      }),
    }),
  },
  {
    name: 'a second call uses another task',
    caughtBy: ['session/one-task'],
    wire: () => {
      const shown = new Set<string>();
      return {
        frames: changedResult((result, request) => {
          if (bodyOf(request).name !== 'show_task') return result;
          if (shown.has(sidOf(request))) return textResult('another');
          shown.add(sidOf(request));
          return result;
        }),
      };
    },
  },
];
