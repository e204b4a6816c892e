import type { Mutant } from '../mutant.ts';
import { changedJson, isFor, type WireAnswer, type WireRequest } from '../wire.ts';
import { fields, refuse } from './requests.ts';

export const errorMutants: readonly Mutant[] = [
  {
    name: 'an unknown environment is answered by a page',
    caughtBy: ['error/detail'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'tools') && answer.status === 404
          ? { ...answer, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Not Found</h1>') }
          : answer,
    }),
  },
  {
    name: 'an error has message instead of detail',
    caughtBy: ['error/detail'],
    wire: () => ({
      answer: changedJson(
        'num_tasks',
        ({ detail }: { detail: string }) => ({ message: `wrong split: ${detail}` }),
        400,
      ),
    }),
  },
  {
    name: 'the detail of an error is a list',
    caughtBy: ['error/detail-text'],
    wire: () => ({
      answer: changedJson('num_tasks', ({ detail }: { detail: string }) => ({ detail: [{ msg: detail }] }), 400),
    }),
  },
  {
    name: 'an error does not say which field is wrong',
    caughtBy: ['error/invalid-field'],
    wire: () => ({ answer: changedJson('task_range', () => ({ detail: 'invalid input' }), 400) }),
  },
  {
    name: 'a split of the wrong type is answered with 422',
    caughtBy: ['error/invalid-field'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'num_tasks') && typeof fields(request).split === 'number' ? { ...answer, status: 422 } : answer,
    }),
  },
  {
    name: 'a missing body is refused with the place in the code',
    caughtBy: ['error/trace'],
    wire: () => ({
      answer: changedJson('tasks', ({ detail }: { detail: string }) => ({ detail: `${detail}\n${TRACE}` }), 400),
    }),
  },
  {
    name: 'the errors of authors are shown with their stack',
    caughtBy: ['error/trace-of-author'],
    server: () => ({ settings: { errorDetail: 'stack' } }),
  },
  {
    name: 'tasks are counted with the status 201',
    caughtBy: ['error/success-status'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'num_tasks') && answer.status === 200 ? { ...answer, status: 201 } : answer,
    }),
  },
  {
    name: 'splits are sent as text',
    caughtBy: ['discovery/json-type'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'splits') && answer.status === 200
          ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' } }
          : answer,
    }),
  },
  {
    name: 'a wrong method is answered with 404',
    caughtBy: ['error/method'],
    wire: () => ({ answer: (answer) => (answer.status === 405 ? refuse(404, 'no such path') : answer) }),
  },
  {
    name: 'a wrong method is answered without Allow',
    caughtBy: ['error/method'],
    wire: () => ({
      answer: (answer) =>
        answer.status === 405 ? { ...answer, headers: { ...answer.headers, allow: undefined } } : answer,
    }),
  },
];

const TRACE = 'TypeError: x is undefined\n    at readBody (/srv/app/body.js:12:7)';

export const errorBodyMutants: readonly Mutant[] = [
  {
    name: 'a call whose body is not JSON is answered with 422',
    caughtBy: ['error/no-json'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'call') && request.body.length > 0 && !isJson(request) ? with422(answer) : answer,
    }),
  },
  {
    name: 'a null body of /create is answered with 422',
    caughtBy: ['error/no-object'],
    wire: () => ({
      answer: (answer, request) =>
        request.path === '/create' && request.body.toString() === 'null' ? with422(answer) : answer,
    }),
  },
  {
    name: 'a body of text/plain is a server error',
    caughtBy: ['error/text-plain'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'num_tasks') && request.headers['content-type'] === 'text/plain'
          ? refuse(500, 'no parser for text/plain')
          : request,
    }),
  },
  {
    name: 'a body of 100 kB is too large',
    caughtBy: ['error/large-task'],
    wire: () => ({
      request: (request) =>
        request.path === '/create' && request.body.length > 100_000 ? refuse(413, 'request entity too large') : request,
    }),
  },
];

const with422 = (answer: WireAnswer): WireAnswer => ({ ...answer, status: 422 });

function isJson({ body }: WireRequest): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

export const malformedMutants: readonly Mutant[] = [
  {
    name: 'a lone surrogate in a refused body is a server error',
    caughtBy: ['error/malformed'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'num_tasks') && request.body.includes('\\ud800') ? refuse(500, 'not UTF-8') : request,
    }),
  },
  {
    name: 'an environment called like a property of objects is a server error',
    caughtBy: ['error/malformed'],
    wire: () => ({
      request: (request) =>
        request.path.startsWith('/constructor/tools') ? refuse(500, 'environment.tools is not iterable') : request,
    }),
  },
  {
    name: 'a path with a malformed escape closes the connection',
    caughtBy: ['error/malformed'],
    wire: () => ({
      request(request) {
        if (request.path === '/%zz') throw new URIError('URI malformed');
        return request;
      },
    }),
  },
  {
    name: 'a method that no route has is a server error',
    caughtBy: ['error/fuzz', 'session/odd-requests-keep'],
    wire: () => ({
      request: (request) => (['PUT', 'PATCH', 'DELETE'].includes(request.method) ? refuse(500, 'no handler') : request),
    }),
  },
];
