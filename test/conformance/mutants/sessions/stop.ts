import { operationHandlers } from 'ors-kit/server';
import type { Mutant, ServerFault } from '../mutant.ts';
import { isFor, type WireRequest } from '../wire.ts';
import { aroundSetup, json, sidOf } from './change.ts';

/** Returns whether the server of a session is stopping. */
function stopWatch() {
  const isReady = new Map<string, () => boolean>();
  const createEpisode: typeof operationHandlers.createEpisode = (request, context) => {
    isReady.set(request.header['X-Session-ID'], context.isReady);
    return operationHandlers.createEpisode(request, context);
  };
  return {
    handlers: { createEpisode } satisfies ServerFault['handlers'],
    isStopping: (sid: string) => isReady.get(sid)?.() === false,
  };
}

const cutting = stopWatch();
const opening = stopWatch();

export const stopMutants: readonly Mutant[] = [
  {
    name: 'a stopping server tears nothing down',
    caughtBy: ['stop/teardown'],
    server: () => {
      const watch = stopWatch();
      return {
        handlers: watch.handlers,
        environments: aroundSetup((setup, context) => {
          const onCleanup: typeof context.onCleanup = (cleanup) =>
            context.onCleanup(() => (watch.isStopping(context.sessionId) ? undefined : cleanup()));
          return setup({ ...context, onCleanup });
        }),
      };
    },
  },
  {
    name: 'a stopping server cuts off running streams',
    caughtBy: ['stop/streams-end'],
    server: () => ({ handlers: cutting.handlers }),
    wire: () => ({
      async *frames(frames, request) {
        for await (const frame of frames) if (!cutting.isStopping(sidOf(request))) yield frame;
      },
    }),
  },
  {
    name: 'a stopping server still opens episodes',
    caughtBy: ['stop/no-new-episodes'],
    server: () => ({ handlers: opening.handlers }),
    wire: () => {
      const sids = new Set<string>();
      const isStopping = (request: WireRequest) => {
        sids.add(sidOf(request));
        return [...sids].some(opening.isStopping);
      };
      return {
        request: (request) =>
          isFor(request, 'create') && isStopping(request) ? json(200, { sid: sidOf(request) }) : request,
      };
    },
  },
];
