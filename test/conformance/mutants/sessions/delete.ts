import type { Mutant } from '../mutant.ts';
import { changedJson, isFor, type WireAnswer } from '../wire.ts';
import { aroundSetup, json, refusal, sidOf } from './change.ts';

export const deleteMutants: readonly Mutant[] = [
  {
    name: 'delete answers ok instead of the sid',
    caughtBy: ['session/delete'],
    wire: () => ({ answer: changedJson('delete', () => ({ ok: true })) }),
  },
  {
    name: 'delete of an unknown id succeeds',
    caughtBy: ['session/delete-unknown'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'delete') && answer.status === 404 ? json(200, { sid: sidOf(request) }) : answer,
    }),
  },
  {
    name: 'a second delete is a server error',
    caughtBy: ['session/delete-twice'],
    wire: () => {
      const deleted = new Set<string>();
      return {
        answer(answer, request) {
          if (!isFor(request, 'delete') || answer.status !== 200) return answer;
          if (deleted.has(sidOf(request))) return refusal(500);
          deleted.add(sidOf(request));
          return answer;
        },
      };
    },
  },
  {
    name: 'delete_session rejects deleted ids',
    caughtBy: ['session/delete-session'],
    wire: () => {
      const deleted = new Set<string>();
      return {
        request(request) {
          if (isFor(request, 'delete') && sidOf(request) !== '') deleted.add(sidOf(request));
          return isFor(request, 'delete_session') && deleted.has(sidOf(request)) ? refusal(404) : request;
        },
      };
    },
  },
  {
    name: 'an episode is torn down twice',
    caughtBy: ['session/teardown-once'],
    server: () => ({
      environments: aroundSetup((setup, context) => {
        const onCleanup: typeof context.onCleanup = (cleanup) => {
          context.onCleanup(cleanup);
          context.onCleanup(cleanup);
        };
        return setup({ ...context, onCleanup });
      }),
    }),
  },
  {
    name: 'a deleted session still has its prompt',
    caughtBy: ['session/after-delete'],
    wire: () => {
      const prompts = new Map<string, WireAnswer>();
      return {
        answer(answer, request) {
          if (!isFor(request, 'prompt')) return answer;
          if (answer.status === 200) prompts.set(sidOf(request), answer);
          return answer.status === 410 ? (prompts.get(sidOf(request)) ?? answer) : answer;
        },
      };
    },
  },
  {
    name: 'a deleted session can be pinged',
    caughtBy: ['session/after-delete'],
    wire: () => {
      const deleted = new Set<string>();
      return {
        answer(answer, request) {
          if (isFor(request, 'delete') && answer.status === 200) deleted.add(sidOf(request));
          const isMeant = isFor(request, 'ping') && deleted.has(sidOf(request));
          return isMeant ? json(200, { status: 'ok' }) : answer;
        },
      };
    },
  },
  {
    name: 'a deleted session is unknown',
    caughtBy: ['session/after-delete-410'],
    server: () => ({ settings: { tombstones: 0 } }),
  },
  {
    name: 'a prompt of an unknown session is a bad request',
    caughtBy: ['session/unknown-id'],
    wire: () => {
      const issued = new Set<string>();
      return {
        answer(answer, request) {
          if (isFor(request, 'create_session')) issued.add(JSON.parse(answer.body.toString()).sid);
          const isMeant = isFor(request, 'prompt') && answer.status === 404 && !issued.has(sidOf(request));
          return isMeant ? refusal(400) : answer;
        },
      };
    },
  },
  {
    name: 'an issued id has an empty prompt',
    caughtBy: ['session/id-without-episode'],
    wire: () => {
      const issued = new Set<string>();
      return {
        answer(answer, request) {
          if (isFor(request, 'create_session')) issued.add(JSON.parse(answer.body.toString()).sid);
          if (isFor(request, 'create')) issued.delete(sidOf(request));
          const isMeant = isFor(request, 'prompt') && answer.status === 404 && issued.has(sidOf(request));
          return isMeant ? json(200, []) : answer;
        },
      };
    },
  },
];
