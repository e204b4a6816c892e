import type { Mutant } from '../mutant.ts';
import { changedJson, isFor } from '../wire.ts';
import { bodyOf, json, refusal, sidOf, withBody } from './change.ts';

export const createMutants: readonly Mutant[] = [
  {
    name: 'create with an inline task answers ok instead of the sid',
    caughtBy: ['session/create-inline'],
    wire: () => ({
      answer: changedJson('create', (answer, request) => (bodyOf(request).task_spec ? { ok: true } : answer)),
    }),
  },
  {
    name: 'create with split and index opens the task before it',
    caughtBy: ['session/create-by-index'],
    wire: () => ({
      request(request) {
        const body = bodyOf(request);
        return isFor(request, 'create') && body.index === 1 ? withBody(request, { ...body, index: 0 }) : request;
      },
    }),
  },
  {
    name: 'the last environment is the default one',
    caughtBy: ['session/create-default-environment'],
    wire: () => ({
      request(request) {
        const body = bodyOf(request);
        const isMeant = isFor(request, 'create') && !body.env_name && body.split;
        return isMeant ? withBody(request, { ...body, env_name: 'other' }) : request;
      },
    }),
  },
  {
    name: 'create needs env_name',
    caughtBy: ['session/create-default-environment'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'create') && bodyOf(request).env_name === undefined ? refusal(400) : request,
    }),
  },
  {
    name: 'create of a live session succeeds',
    caughtBy: ['session/create-twice'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') && answer.body.toString().includes('already exists')
          ? json(200, { sid: sidOf(request) })
          : answer,
    }),
  },
  {
    name: 'create of a live session is answered with 409',
    caughtBy: ['session/create-twice'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') && answer.body.toString().includes('already exists') ? refusal(409) : answer,
    }),
  },
  {
    name: 'two requests to create one session at the same moment both succeed',
    caughtBy: ['session/create-twice'],
    wire: () => {
      const making = new Set<string>();
      return {
        request(request) {
          if (!isFor(request, 'create') || request.headers['x-session-id'] === undefined) return request;
          if (making.has(sidOf(request))) return json(200, { sid: sidOf(request) });
          making.add(sidOf(request));
          return request;
        },
        answer(answer, request) {
          if (isFor(request, 'create')) making.delete(sidOf(request));
          return answer;
        },
      };
    },
  },
  {
    name: 'create rejects empty secrets',
    caughtBy: ['session/secrets-left-out', 'episode/documented-flow'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'create') && JSON.stringify(bodyOf(request).secrets) === '{}' ? refusal(400) : request,
    }),
  },
];
