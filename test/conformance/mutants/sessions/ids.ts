import type { Mutant } from '../mutant.ts';
import { changedJson, isFor, type Wire, type WireRequest } from '../wire.ts';
import { json, refusal, withHeaders } from './change.ts';

/** Answers `/create_session` as if something else were accepted. */
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
    name: 'ids are issued twice',
    caughtBy: ['session/ids-differ'],
    wire: () => {
      const sids: string[] = [];
      const again = changedJson('create_session', ({ sid }: { sid: string }) => {
        sids.push(sid);
        return { sid: sids.length > 20 ? sids[0] : sid };
      });
      // Other checks would meet in the session of such an id.
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
