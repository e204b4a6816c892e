import type { Mutant } from '../mutant.ts';
import { isFor, type WireRequest } from '../wire.ts';
import { bodyOf, refusal, sidOf, withBody } from './change.ts';

const FIELDS = ['env_name', 'task_spec', 'split', 'index', 'secrets'];

/** Whether a `/create` that is well in all else names its task by both ways, or by neither. */
function hasBadSource(request: WireRequest): boolean {
  const { env_name, task_spec, split, index } = bodyOf(request);
  if (env_name === undefined) return false;
  return task_spec === undefined ? split === undefined || index === undefined : split !== undefined;
}

/** A `/create` of both sources, without the second. */
function withoutPlace(request: WireRequest): WireRequest {
  const { split, index, ...body } = bodyOf(request);
  const isMeant = isFor(request, 'create') && body.task_spec !== undefined && split !== undefined;
  return isMeant ? withBody(request, body) : request;
}

export const refusedCreateMutants: readonly Mutant[] = [
  {
    name: 'create answers 400 for an unknown environment',
    caughtBy: ['session/create-unknown-environment'],
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
