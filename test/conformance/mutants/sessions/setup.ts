import { operationHandlers } from 'ors-kit/server';
import type { Mutant } from '../mutant.ts';
import { isFor } from '../wire.ts';
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
    caughtBy: ['session/setup-is-awaited'],
    wire: () => {
      const settingUp = new Set<string>();
      return {
        request(request) {
          if (isFor(request, 'create') && taskOf(request).setup_ms) settingUp.add(sidOf(request));
          // The first comes during setup; how late it does is no matter.
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
