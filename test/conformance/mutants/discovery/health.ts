import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutant } from '../mutant.ts';
import { isFor, type Wire } from '../wire.ts';
import { answer, refuse } from './requests.ts';

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

/** A server with so many places for requests, of which each call takes one. */
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
