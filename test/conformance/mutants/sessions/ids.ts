import type { Mutant } from '../mutant.ts';
import { changedJson, isFor, type Wire, type WireRequest } from '../wire.ts';
import { json, refusal, sidOf, withHeaders } from './change.ts';

/** Handles `/create_session` as if it had another Accept header. */
const accepting = (isMeant: (accept: unknown) => boolean, instead: string): Wire => ({
  request: (request) =>
    isFor(request, 'create_session') && isMeant(request.headers.accept)
      ? withHeaders(request, { accept: instead })
      : request,
});

const isEmpty = ({ body }: WireRequest) => body.length === 0;

export const idMutants: readonly Mutant[] = [
  {
    name: 'create_session answers events to clients that ask for JSON',
    caughtBy: ['session/id-as-json'],
    wire: () => accepting((accept) => accept === 'application/json', 'text/event-stream'),
  },
  {
    name: 'create_session returns an empty sid to clients that ask for JSON',
    caughtBy: ['session/id-as-json'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'create_session') && request.headers.accept === 'application/json' && isEmpty(request)
          ? json(200, { sid: '' })
          : request,
    }),
  },
  {
    name: 'create_session answers events to clients that accept anything',
    caughtBy: ['session/id-for-any-accept'],
    wire: () => accepting((accept) => accept === '*/*', 'text/event-stream'),
  },
  {
    name: 'create_session answers events to clients that name no type',
    caughtBy: ['session/id-for-any-accept'],
    wire: () => accepting((accept) => accept === undefined, 'text/event-stream'),
  },
  {
    name: 'create_session answers JSON to clients that ask for events',
    caughtBy: ['session/id-as-events'],
    wire: () => accepting((accept) => accept === 'text/event-stream', 'application/json'),
  },
  {
    name: 'create_session prefers JSON to events of equal quality',
    caughtBy: ['session/id-as-preferred'],
    wire: () => accepting((accept) => accept === 'text/event-stream, application/json', 'application/json'),
  },
  {
    name: 'create_session ignores q-values',
    caughtBy: ['session/id-as-preferred'],
    wire: () => accepting((accept) => String(accept).includes(';q=0.5'), 'text/event-stream'),
  },
  {
    name: 'ids are issued twice',
    caughtBy: ['session/ids-differ'],
    wire: () => {
      const sids: string[] = [];
      const again = changedJson('create_session', ({ sid }: { sid: string }) => {
        sids.push(sid);
        return { sid: sids.length > 20 ? sids[0] : sid };
      });
      // Other checks would share the session of such an id.
      return { answer: (answer, request) => (request.headers.accept === undefined ? answer : again(answer, request)) };
    },
  },
  {
    name: 'a session id is not a UUID',
    caughtBy: ['session/id-is-uuid'],
    wire: () => ({ answer: changedJson('create_session', ({ sid }: { sid: string }) => ({ sid: `session-${sid}` })) }),
  },
  {
    name: 'create_session rejects an empty body as bad JSON',
    caughtBy: ['session/id-without-body'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'create_session') && request.headers['content-type'] && isEmpty(request)
          ? refusal(400)
          : request,
    }),
  },
];

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
