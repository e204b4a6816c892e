import type { Mutant } from '../mutant.ts';
import { isFor } from '../wire.ts';
import { refusal, sidOf, withHeaders } from './change.ts';

export const headerMutants: readonly Mutant[] = [
  {
    name: 'a ping without a session id is answered with 404',
    caughtBy: ['session/header-missing'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'ping') && request.headers['x-session-id'] === undefined ? refusal(404) : request,
    }),
  },
  {
    name: 'task_tools answers without a session id as tools does',
    caughtBy: ['session/header-missing'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'task_tools') && request.headers['x-session-id'] === undefined
          ? { ...request, path: '/conformance/tools' }
          : request,
    }),
  },
  {
    name: 'a blank session id is an unknown one',
    caughtBy: ['session/header-blank'],
    wire: () => ({
      request: (request) => (request.headers['x-session-id'] === '' ? refusal(404) : request),
    }),
  },
  {
    name: 'a session id with other bytes is a server error',
    caughtBy: ['session/header-bytes'],
    wire: () => ({
      request: (request) => (/[^\x20-\x7e]/.test(sidOf(request)) ? refusal(500) : request),
    }),
  },
  {
    name: 'the first of two session ids is used',
    caughtBy: ['session/header-twice'],
    wire: () => ({
      request(request) {
        const sid = request.headers['x-session-id'];
        return Array.isArray(sid) ? withHeaders(request, { 'x-session-id': sid[0] }) : request;
      },
    }),
  },
];
