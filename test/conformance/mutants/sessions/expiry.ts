import { operationHandlers } from 'ors-kit/server';
import type { Mutant } from '../mutant.ts';
import { isFor } from '../wire.ts';
import { aroundSetup, json, refusal, sidOf, withHeaders } from './change.ts';

/** Time between those at which the healthy server certainly has a session, and certainly not. */
const HAS_IT_MS = 5_200;

export const expiryMutants: readonly Mutant[] = [
  {
    name: 'sessions never expire',
    caughtBy: ['session/expires'],
    server: () => ({ settings: { idleTimeoutMs: 600_000 } }),
  },
  {
    name: 'a ping halfway to the timeout after a prompt finds the session expired',
    caughtBy: ['session/expires', 'session/any-request-keeps'],
    wire: () => {
      const prompted = new Map<string, number>();
      return {
        answer(answer, request) {
          const at = prompted.get(sidOf(request));
          prompted.delete(sidOf(request));
          if (isFor(request, 'prompt')) prompted.set(sidOf(request), Date.now());
          const isEarly = isFor(request, 'ping') && at !== undefined && Date.now() - at > 1_800;
          return isEarly ? refusal(410) : answer;
        },
      };
    },
  },
  {
    name: 'discovery does not keep a session alive',
    caughtBy: ['session/any-request-keeps'],
    wire: () => ({
      request: (request) =>
        isFor(request, 'tools') || isFor(request, 'task')
          ? withHeaders(request, { 'x-session-id': undefined })
          : request,
    }),
  },
  {
    name: 'health does not keep a session alive',
    caughtBy: ['session/odd-requests-keep'],
    wire: () => ({
      request: (request) => (isFor(request, 'health') ? withHeaders(request, { 'x-session-id': undefined }) : request),
    }),
  },
  {
    name: 'a request with a wrong method does not keep a session alive',
    caughtBy: ['session/odd-requests-keep'],
    wire: () => ({
      request: (request) => (request.method === 'PUT' ? withHeaders(request, { 'x-session-id': undefined }) : request),
    }),
  },
  {
    name: 'a ping does not keep a session alive',
    caughtBy: ['session/ping-keeps'],
    wire: () => {
      const active = new Map<string, number>();
      return {
        request(request) {
          const at = active.get(sidOf(request));
          if (at === undefined) return request;
          if (isFor(request, 'ping')) return Date.now() - at < HAS_IT_MS ? json(200, { status: 'ok' }) : request;
          if (isFor(request, 'delete')) active.delete(sidOf(request));
          else active.set(sidOf(request), Date.now());
          return request;
        },
        answer(answer, request) {
          if (isFor(request, 'create') && answer.status === 200) active.set(sidOf(request), Date.now());
          return answer;
        },
      };
    },
  },
  {
    name: 'a running call does not keep its session alive',
    caughtBy: ['session/running-call-keeps'],
    server: () => ({
      handlers: {
        callTool(request, context) {
          const session = context.sessions.find(request.header['X-Session-ID']);
          if (session) {
            session.retain = () => undefined;
            session.release = () => session.touch();
          }
          return operationHandlers.callTool(request, context);
        },
      },
    }),
  },
  {
    name: 'an expired session is not torn down',
    caughtBy: ['session/teardown-on-expiry'],
    server: () => ({
      environments: aroundSetup((setup, context) => {
        const isExpired = () => String(context.signal.reason).includes('expired');
        const onCleanup: typeof context.onCleanup = (cleanup) =>
          context.onCleanup(() => (isExpired() ? undefined : cleanup()));
        return setup({ ...context, onCleanup });
      }),
    }),
  },
];
