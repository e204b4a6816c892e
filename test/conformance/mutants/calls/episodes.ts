import { operationHandlers } from 'ors-kit/server';
import type { Mutant } from '../mutant.ts';
import { changedOutputs, inputOf, sidOf } from './of-calls.ts';

export const episodeMutants: readonly Mutant[] = [
  {
    name: 'a reward of 0 is sent as null',
    caughtBy: ['call/reward-null'],
    wire: () => ({ frames: changedOutputs(undefined, (output) => ({ ...output, reward: output.reward || null })) }),
  },
  {
    name: 'no reward is sent as 0',
    caughtBy: ['call/reward-null'],
    wire: () => ({ frames: changedOutputs(undefined, (output) => ({ ...output, reward: output.reward ?? 0 })) }),
  },
  {
    name: 'the rewards of an episode are added up',
    caughtBy: ['type/reward-own'],
    wire() {
      const sums = new Map<string, number>();
      return {
        frames: changedOutputs('reward', (output, call, request) => {
          const sid = sidOf(request);
          const { value } = inputOf(call);
          if (typeof value === 'number') sums.set(sid, (sums.get(sid) ?? 0) + value);
          return { ...output, reward: output.reward === null ? null : sums.get(sid) };
        }),
      };
    },
  },
  {
    name: 'a reward is sent again with the next call',
    caughtBy: ['type/reward-own'],
    wire() {
      const last = new Map<string, number>();
      return {
        frames: changedOutputs(undefined, (output, _call, request) => {
          const before = last.get(sidOf(request));
          if (output.reward !== null) last.set(sidOf(request), output.reward);
          return { ...output, reward: output.reward ?? before ?? null };
        }),
      };
    },
  },
  {
    name: 'the finished true of a tool is lost',
    caughtBy: ['type/finished'],
    wire: () => ({ frames: changedOutputs('finish', (output) => ({ ...output, finished: false })) }),
  },
  {
    name: 'tools still run after finished true',
    caughtBy: ['call/after-finished'],
    server: () => ({
      handlers: {
        callTool(request, context) {
          const session = context.sessions.find(request.header['X-Session-ID']);
          if (session) session.isFinished = false;
          return operationHandlers.callTool(request, context);
        },
      },
    }),
  },
  {
    name: 'finished true tears the episode down',
    caughtBy: ['call/finished-keeps-session'],
    server: () => ({
      handlers: {
        async callTool(request, context) {
          const events = (await operationHandlers.callTool(request, context)) as AsyncIterable<{
            event: string;
            data: string;
          }>;
          const { sessions } = context;
          const sid = request.header['X-Session-ID'];
          return (async function* () {
            for await (const event of events) {
              if (event.data.includes('"finished":true')) await sessions.delete(sid, request.caller);
              yield event;
            }
          })();
        },
      },
    }),
  },
  {
    name: 'a prompt changes the state of the episode',
    caughtBy: ['call/only-calls-change'],
    server: () => ({
      handlers: {
        async getPrompt(request, context) {
          const episode = await context.sessions.get(request.header['X-Session-ID'], request.caller).ready;
          await episode.run('count', { by: 1 });
          return operationHandlers.getPrompt(request, context);
        },
      },
    }),
  },
];
