import { operationHandlers } from 'ors-kit/server';
import type { Mutant } from '../mutant.ts';
import { changedJson, isFor } from '../wire.ts';
import { json } from './change.ts';

export const pingMutants: readonly Mutant[] = [
  {
    name: 'ping says OK in capitals',
    caughtBy: ['session/ping', 'session/ping-during-setup'],
    wire: () => ({ answer: changedJson('ping', () => ({ status: 'OK' })) }),
  },
  {
    name: 'a ping waits for setup',
    caughtBy: ['session/ping-during-setup'],
    server: () => ({
      handlers: {
        async ping(request, context) {
          await context.sessions.find(request.header['X-Session-ID'])?.ready;
          return operationHandlers.ping(request, context);
        },
      },
    }),
  },
  {
    name: 'a ping of an unknown session succeeds',
    caughtBy: ['session/ping-unknown'],
    wire: () => ({
      answer: (answer, request) =>
        isFor(request, 'ping') && answer.status === 404 ? json(200, { status: 'ok' }) : answer,
    }),
  },
];
