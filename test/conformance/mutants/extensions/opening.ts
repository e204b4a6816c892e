import type { Mutant } from '../mutant.ts';
import { bodyOf, json, sidOf, withBody } from '../sessions/change.ts';
import { callOf, frameOf } from '../streams/frames.ts';
import { changedJson, isFor, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';
import { duringSetup, type ToolList } from './change.ts';

const isStarting = (answer: WireAnswer) => answer.status === 503 && answer.headers['x-backend-state'] !== undefined;

const isFork = (request: WireRequest) => isFor(request, 'fork');

/** Changes the bodies of `/fork`. */
const changedForks = (change: (body: Record<string, unknown>) => object): Wire => ({
  request: (request) => (isFork(request) ? withBody(request, change(bodyOf(request))) : request),
});

/** Changes the status of 404 of `/fork` whose detail matches. */
const changedMissing = (pattern: RegExp, status: number): Wire => ({
  answer: (answer, request) =>
    isFork(request) && answer.status === 404 && pattern.test(answer.body.toString()) ? { ...answer, status } : answer,
});

const isSecrets = ({ path }: WireRequest) => path.endsWith('/required-secrets');

/** Removes a header of 503 during setup. */
const withoutHeader = (name: string): Wire => ({
  answer: (answer) => {
    if (!isStarting(answer)) return answer;
    const { [name]: _, ...headers } = answer.headers;
    return { ...answer, headers };
  },
});

export const openingMutants: readonly Mutant[] = [
  {
    name: '503 during setup does not say that the server is starting',
    caughtBy: ['starting/response', 'starting/task-tools'],
    wire: () => withoutHeader('x-backend-state'),
  },
  {
    name: '503 during setup does not say when to ask again',
    caughtBy: ['starting/response', 'starting/task-tools'],
    wire: () => withoutHeader('retry-after'),
  },
  {
    name: 'task_tools lists only shared tools during setup',
    caughtBy: ['starting/task-tools'],
    wire: () =>
      duringSetup('task_tools', (request) => ({ ...request, path: request.path.replace('task_tools', 'tools') })),
  },
  {
    name: 'every client gets 503 from task_tools during setup',
    caughtBy: ['starting/task-tools', 'session/setup-is-awaited'],
    wire: () =>
      duringSetup('task_tools', () => {
        const answer = json(503, { detail: 'the environment is starting' });
        return { ...answer, headers: { ...answer.headers, 'x-backend-state': 'starting', 'retry-after': '1' } };
      }),
  },
  {
    name: 'an unknown toolset is refused without its word',
    caughtBy: ['toolset/unknown'],
    wire: () => ({
      answer: changedJson('create', () => ({ detail: 'no such set of tools' }), 400),
    }),
  },
  {
    name: 'an unknown toolset is not found',
    caughtBy: ['toolset/unknown'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'create') && answer.status === 400 && String(bodyOf(request).toolset_name).includes('no_such')
          ? { ...answer, status: 404 }
          : answer,
    }),
  },
  {
    name: 'the tools of a toolset are added twice',
    caughtBy: ['toolset/merged'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools, ...list }: ToolList) => {
        const isMeant = tools.some((tool) => 'name' in tool && tool.name === 'spare_only');
        return { ...list, tools: isMeant ? [...tools, ...tools] : tools };
      }),
    }),
  },
  {
    name: 'a tool that a toolset replaces still runs',
    caughtBy: ['toolset/merged'],
    wire: () => {
      const selected = new Set<string>();
      return {
        request: (request) => {
          if (isFor(request, 'create') && bodyOf(request).toolset_name === 'spare') selected.add(sidOf(request));
          return selected.has(sidOf(request)) && callOf(request)?.name === 'noargs' ? RAN : request;
        },
      };
    },
  },
  {
    name: 'required secrets are an array',
    caughtBy: ['secrets/required'],
    wire: () => ({
      answer: (answer, request) => (isSecrets(request) && answer.status === 200 ? json(200, []) : answer),
    }),
  },
  {
    name: 'required secrets need an owner',
    caughtBy: ['secrets/required'],
    wire: () => ({
      request: (request) =>
        request.path.startsWith('/v1/environments//') ? json(404, { detail: 'no owner' }) : request,
    }),
  },
  {
    name: 'the secrets of an environment that is not served are not found',
    caughtBy: ['secrets/of-other-name'],
    wire: () => ({
      request: (request) =>
        isSecrets(request) && request.path.includes('no-such-environment') ? json(404, { detail: 'unknown' }) : request,
    }),
  },
  {
    name: 'a fork that is not supported is a conflict',
    caughtBy: ['fork/unsupported'],
    wire: () => changedMissing(/cannot fork sessions/, 409),
  },
  {
    name: 'the fork of an unknown session is gone',
    caughtBy: ['fork/unknown-session'],
    wire: () => changedMissing(/^(?!.*cannot fork sessions)/, 410),
  },
  {
    name: 'a fork is the session itself',
    caughtBy: ['fork/continues'],
    wire: () => ({
      answer: (answer, request) =>
        isFork(request) && answer.status === 200 && Object.keys(bodyOf(request)).length === 0
          ? json(200, { sid: sidOf(request) })
          : answer,
    }),
  },
  {
    name: 'a fork continues after the newest call',
    caughtBy: ['fork/at', 'fork/used-task-id', 'fork/unknown-call'],
    wire: () => changedForks(({ at: _, ...body }) => body),
  },
  {
    name: 'a fork that is requested again is another one',
    caughtBy: ['fork/repeated', 'fork/used-task-id'],
    wire: () => changedForks(({ task_id: _, ...body }) => body),
  },
  {
    name: 'the task_id of a fork at another call returns that fork',
    caughtBy: ['fork/used-task-id'],
    wire: () => changedForks(({ at, ...body }) => ('task_id' in body || at === undefined ? body : { ...body, at })),
  },
];

const RAN: WireAnswer = {
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  body: Buffer.from(
    frameOf('task_id', 'ran') +
      frameOf(
        'end',
        JSON.stringify({
          ok: true,
          output: {
            blocks: [{ text: 'ran', detail: null, type: 'text' }],
            metadata: null,
            reward: null,
            finished: false,
          },
        }),
      ),
  ),
};
