import { handlers } from 'ors-kit/server';
import type { Mutant, ServerFault } from '../mutant.ts';
import { isFor } from '../wire.ts';
import { aroundSetup, json, sidOf } from './change.ts';

/** Tells the parts of a mutant whether its server has been told to stop; one run at a time. */
function stopWatch() {
  let isReady = () => true;
  const createEpisode: typeof handlers.createEpisode = (request, context) => {
    isReady = context.isReady;
    return handlers.createEpisode(request, context);
  };
  return { handlers: { createEpisode } satisfies ServerFault['handlers'], isStopping: () => !isReady() };
}

const cutting = stopWatch();
const opening = stopWatch();

export const stopMutants: readonly Mutant[] = [
  {
    name: 'a server that stops tears nothing down',
    caughtBy: ['stop/teardown'],
    server: () => {
      const watch = stopWatch();
      return {
        handlers: watch.handlers,
        environments: aroundSetup((setup, context) => {
          const onCleanup: typeof context.onCleanup = (cleanup) =>
            context.onCleanup(() => (watch.isStopping() ? undefined : cleanup()));
          return setup({ ...context, onCleanup });
        }),
      };
    },
  },
  {
    name: 'a server that stops cuts running streams off',
    caughtBy: ['stop/streams-end'],
    server: () => ({ handlers: cutting.handlers }),
    wire: () => ({
      async *frames(frames) {
        for await (const frame of frames) if (!cutting.isStopping()) yield frame;
      },
    }),
  },
  {
    name: 'a server that stops still opens episodes',
    caughtBy: ['stop/no-new-episodes'],
    server: () => ({ handlers: opening.handlers }),
    wire: () => ({
      request: (request) =>
        isFor(request, 'create') && opening.isStopping() ? json(200, { sid: sidOf(request) }) : request,
    }),
  },
];
