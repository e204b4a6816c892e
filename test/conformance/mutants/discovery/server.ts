import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutant } from '../mutant.ts';
import { changedJson, isFor, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';
import { answer, isDiscovery, refuse } from './requests.ts';

export const healthMutants: readonly Mutant[] = [
  {
    name: 'health says OK in capitals',
    caughtBy: ['discovery/health'],
    wire: () => ({
      answer: (given, request) =>
        isFor(request, 'health') && request.method === 'GET' ? answer(200, { status: 'OK' }) : given,
    }),
  },
  {
    name: 'health waits while eight calls run',
    caughtBy: ['discovery/health-under-load'],
    wire: () => healthBehindCalls(8),
  },
  {
    name: 'HEAD is not accepted',
    caughtBy: ['discovery/health-head'],
    wire: () => ({ request: (request) => (request.method === 'HEAD' ? refuse(405, 'method not allowed') : request) }),
  },
];

/** A server with a limited number of request slots, of which each call occupies one. */
function healthBehindCalls(places: number): Wire {
  let running = 0;
  return {
    async request(request) {
      while (isFor(request, 'health') && running >= places) await sleep(20);
      return request;
    },
    async *frames(frames) {
      running++;
      try {
        yield* frames;
      } finally {
        running--;
      }
    },
  };
}

const NAME = 'conformance';

export const environmentMutants: readonly Mutant[] = [
  {
    name: 'an environment is listed twice',
    caughtBy: ['discovery/environments'],
    wire: () => ({ answer: changedJson('list_environments', (names: string[]) => [...names, ...names]) }),
  },
  {
    name: 'the second environment is listed, and its tools are not found',
    caughtBy: ['discovery/environment-names'],
    wire: () => ({
      request: (request) => (request.path === '/other/tools' ? refuse(404, "unknown environment 'other'") : request),
    }),
  },
  {
    name: 'an unknown environment is answered with 400',
    caughtBy: ['discovery/unknown-environment'],
    wire: () => ({ answer: (answer, request) => (isUnknown(answer, request) ? { ...answer, status: 400 } : answer) }),
  },
  {
    name: 'an unknown environment is redirected to the first one',
    caughtBy: ['discovery/unknown-environment-at-once'],
    wire: () => ({
      answer: (answer, request) => (isUnknown(answer, request) ? redirect(`/${NAME}${request.path}`) : answer),
    }),
  },
  {
    name: 'names of environments are case-sensitive in paths',
    caughtBy: ['discovery/environment-case'],
    wire: () => ({ request: (request) => (isOtherCase(request.path.split('/')[1]) ? unknown() : request) }),
  },
  {
    name: 'names of environments are case-sensitive in bodies',
    caughtBy: ['discovery/environment-case'],
    wire: () => ({
      request: (request) =>
        request.path === '/create' && isOtherCase(/"env_name":"(\w+)"/.exec(request.body.toString())?.[1])
          ? unknown()
          : request,
    }),
  },
  {
    name: 'the only environment cannot be reached without its name',
    caughtBy: ['discovery/only-environment'],
    server: () => ({ environments: (healthy) => healthy.slice(0, 1) }),
    wire: () => ({
      request: (request) => (request.path === '/tools' ? refuse(404, 'no such path: GET /tools') : request),
    }),
  },
];

const isUnknown = ({ status, body }: WireAnswer, request: WireRequest) =>
  status === 404 && isDiscovery(request) && body.includes('unknown environment');

const isOtherCase = (name = '') => name !== NAME && name.toLowerCase() === NAME;

const unknown = () => refuse(404, 'unknown environment');

const redirect = (location: string): WireAnswer => ({
  status: 308,
  headers: { location },
  body: Buffer.alloc(0),
});

export const routeMutants: readonly Mutant[] = [
  {
    name: 'the route for splits is missing',
    caughtBy: ['discovery/routes', 'discovery/steps'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'splits') ? refuse(404, `no such path: ${request.method} ${request.path}`) : request,
    }),
  },
  {
    name: 'the list of splits requires POST',
    caughtBy: ['discovery/routes', 'discovery/steps'],
    wire: () => ({ request: (request) => (isFor(request, 'splits') ? refuse(405, 'method not allowed') : request) }),
  },
  {
    name: 'the list of tasks is not available',
    caughtBy: ['discovery/steps'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'tasks') && answer.status === 200 ? refuse(503, 'tasks are still being loaded') : answer,
    }),
  },
];
