import { operationHandlers } from 'ors-kit/server';
import type { Mutant } from '../mutant.ts';
import { changedJson, changedResult, isFor, type WireAnswer } from '../wire.ts';
import { aroundSetup, bodyOf, fixtureTask, json, refusal, sidOf, taskOf, withBody } from './change.ts';

export const setupMutants: readonly Mutant[] = [
  {
    name: 'create waits for setup',
    caughtBy: ['session/create-before-setup'],
    server: () => ({
      handlers: {
        async createEpisode(request, context) {
          const answer = await operationHandlers.createEpisode(request, context);
          await context.sessions.find(request.header['X-Session-ID'])?.ready.catch(() => undefined);
          return answer;
        },
      },
    }),
  },
  {
    name: 'a prompt during setup is refused',
    caughtBy: ['session/setup-is-awaited', 'starting/response'],
    wire: () => {
      const settingUp = new Set<string>();
      return {
        request(request) {
          if (isFor(request, 'create') && taskOf(request).setup_ms) settingUp.add(sidOf(request));
          // The first ping arrives during setup.
          return isFor(request, 'prompt') && settingUp.delete(sidOf(request)) ? refusal(503) : request;
        },
      };
    },
  },
  {
    name: 'a prompt does not wait for setup',
    caughtBy: ['session/setup-is-awaited'],
    wire: () => {
      const slow = new Set<string>();
      return {
        request(request) {
          if (isFor(request, 'create') && taskOf(request).setup_ms) slow.add(sidOf(request));
          const isMeant = isFor(request, 'prompt') && slow.has(sidOf(request));
          return isMeant ? json(200, [{ text: 'Wait.', detail: null, type: 'text' }]) : request;
        },
      };
    },
  },
  {
    name: 'setup runs twice',
    caughtBy: ['session/setup-once'],
    server: () => ({
      environments: aroundSetup(async (setup, context) => {
        const state = await setup(context);
        await setup({ ...context, onCleanup: () => undefined });
        return state;
      }),
    }),
  },
  {
    name: 'setup receives only the known fields of a task',
    caughtBy: ['session/setup-once'],
    wire: () => ({
      request(request) {
        const { extra, ...task_spec } = taskOf(request);
        const isMeant = isFor(request, 'create') && extra !== undefined && bodyOf(request).split === undefined;
        return isMeant ? withBody(request, { ...bodyOf(request), task_spec }) : request;
      },
    }),
  },
  {
    name: 'a failed setup is answered with 404',
    caughtBy: ['session/setup-fails'],
    wire: () => {
      const failing = new Set<string>();
      return {
        request(request) {
          if (isFor(request, 'create') && taskOf(request).setup_fail) failing.add(sidOf(request));
          return request;
        },
        answer: (answer, request) =>
          isFor(request, 'prompt') && answer.status === 500 && failing.has(sidOf(request)) ? refusal(404) : answer,
      };
    },
  },
  {
    name: 'a failed setup is never torn down',
    caughtBy: ['session/teardown-after-failed-setup'],
    server: () => ({
      environments: aroundSetup((setup, context) =>
        setup(fixtureTask(context).setup_fail ? { ...context, onCleanup: () => undefined } : context),
      ),
    }),
  },
];

export const pingMutants: readonly Mutant[] = [
  {
    name: 'ping says OK in capitals',
    caughtBy: ['session/ping', 'session/ping-during-setup'],
    wire: () => ({ answer: changedJson('ping', () => ({ status: 'OK' })) }),
  },
  {
    name: 'a ping waits for setup',
    caughtBy: ['session/ping-during-setup'],
    server: () => ({
      handlers: {
        async ping(request, context) {
          await context.sessions.find(request.header['X-Session-ID'])?.ready;
          return operationHandlers.ping(request, context);
        },
      },
    }),
  },
  {
    name: 'a ping of an unknown session succeeds',
    caughtBy: ['session/ping-unknown'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'ping') && answer.status === 404 ? json(200, { status: 'ok' }) : answer,
    }),
  },
];

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
