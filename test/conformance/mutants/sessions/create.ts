import type { Mutant } from '../mutant.ts';
import { changedJson, isFor, type WireRequest } from '../wire.ts';
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
        const isMeant = isFor(request, 'create') && body.env_name === undefined && body.split;
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
    name: 'an empty env_name opens the first environment',
    caughtBy: ['session/create-empty-environment'],
    wire: () => ({
      request(request) {
        const { env_name, ...body } = bodyOf(request);
        return isFor(request, 'create') && env_name === '' ? withBody(request, body) : request;
      },
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

const FIELDS = ['env_name', 'task_spec', 'split', 'index', 'secrets', 'toolset_name'];

/** Returns whether an otherwise valid `/create` has both task sources, or none. */
function hasBadSource(request: WireRequest): boolean {
  const { env_name, task_spec, split, index } = bodyOf(request);
  if (env_name === undefined) return false;
  return task_spec === undefined ? split === undefined || index === undefined : split !== undefined;
}

/** Removes the second task source of a `/create`. */
function withoutPlace(request: WireRequest): WireRequest {
  const { split, index, ...body } = bodyOf(request);
  const isMeant = isFor(request, 'create') && body.task_spec !== undefined && split !== undefined;
  return isMeant ? withBody(request, body) : request;
}

export const refusedCreateMutants: readonly Mutant[] = [
  {
    name: 'create answers 400 for an unknown environment',
    caughtBy: ['session/create-unknown-environment', 'session/create-empty-environment'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') && answer.status === 404 ? { ...answer, status: 400 } : answer,
    }),
  },
  {
    name: 'task_spec takes precedence over split and index',
    caughtBy: ['session/create-two-sources'],
    wire: () => ({ request: withoutPlace }),
  },
  {
    name: 'a task_spec without fields counts as absent',
    caughtBy: ['session/create-two-sources'],
    wire: () => ({
      request(request) {
        const { task_spec, ...body } = bodyOf(request);
        const isMeant = isFor(request, 'create') && JSON.stringify(task_spec) === '{}' && body.split !== undefined;
        return isMeant ? withBody(request, body) : request;
      },
    }),
  },
  {
    name: 'create with both task sources is rejected, but opens the episode',
    caughtBy: ['session/create-two-sources'],
    wire: () => {
      const changed = new WeakSet<WireRequest>();
      return {
        request(request) {
          const other = withoutPlace(request);
          if (other !== request) changed.add(other);
          return other;
        },
        answer: (answer, request) => (changed.has(request) ? refusal(400) : answer),
      };
    },
  },
  {
    name: 'create answers 422 for a bad task source',
    caughtBy: ['session/create-bad-source-400'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') && answer.status === 400 && sidOf(request) !== '' && hasBadSource(request)
          ? { ...answer, status: 422 }
          : answer,
    }),
  },
  {
    name: 'create without any task opens the first one',
    caughtBy: ['session/create-bad-source-400'],
    wire: () => ({
      request(request) {
        const body = bodyOf(request);
        const isMeant = isFor(request, 'create') && body.env_name && !('task_spec' in body) && !('index' in body);
        return isMeant ? withBody(request, { ...body, split: body.split ?? 'train', index: 0 }) : request;
      },
    }),
  },
  {
    name: 'create answers 404 for an unknown split',
    caughtBy: ['session/create-unknown-task'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') && answer.status === 400 && bodyOf(request).split === 'conformance-no-such-split'
          ? { ...answer, status: 404 }
          : answer,
    }),
  },
  {
    name: 'create with an index beyond the split opens the last task',
    caughtBy: ['session/create-unknown-task'],
    wire: () => ({
      request(request) {
        const body = bodyOf(request);
        const isMeant = isFor(request, 'create') && body.split === 'train' && Number(body.index) >= 3;
        return isMeant ? withBody(request, { ...body, index: 2 }) : request;
      },
    }),
  },
  {
    name: 'a rejected create uses up its id',
    caughtBy: ['session/create-after-refusal'],
    wire: () => {
      const used = new Set<string>();
      return {
        request: (request) => (isFor(request, 'create') && used.has(sidOf(request)) ? refusal(400) : request),
        answer(answer, request) {
          const isMeant = isFor(request, 'create') && answer.status >= 400 && sidOf(request) !== '';
          if (isMeant && !answer.body.toString().includes('already exists')) used.add(sidOf(request));
          return answer;
        },
      };
    },
  },
  {
    name: 'an unknown field of create is answered with 403',
    caughtBy: ['session/create-unknown-field'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') &&
        answer.status === 200 &&
        Object.keys(bodyOf(request)).some((key) => !FIELDS.includes(key))
          ? refusal(403)
          : answer,
    }),
  },
];
