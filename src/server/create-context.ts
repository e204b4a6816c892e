import { firstTimes, Semaphore } from '../core/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { NO_DESCRIPTORS, watchDescriptors } from '../http/index.ts';
import { Results } from './calls/results.ts';
import type { ServerContext } from './context.ts';
import { environmentTable } from './environments.ts';
import { SessionPlaces } from './limits/session-places.ts';
import { warningsLog } from './log.ts';
import { createObservers } from './observe/create-observers.ts';
import type { ServerOptions, ServerSpec } from './server-options.ts';
import { IssuedIds } from './sessions/issued-ids.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { withDefaults } from './settings.ts';

/** What the operations of a new server share. @throws TypeError for environments or settings that cannot be meant. */
export function createContext(
  environments: readonly HostedEnvironment[],
  options: ServerOptions & { readonly spec: ServerSpec },
  isReady: () => boolean,
): ServerContext {
  const settings = withDefaults(options);
  const { now = () => performance.now(), log = warningsLog(), metrics = true } = options;
  const table = environmentTable(environments);
  const isFirst = firstTimes(MOST_LINES);
  const observers = createObservers({ log, environments: table.names, metrics });
  return {
    ...observers,
    environments: table,
    sessions: new SessionRegistry(settings, observers.observer),
    issuedIds: new IssuedIds(now),
    results: new Results({ ...settings, now }),
    document: options.spec.document,
    recorder: options.recorder,
    settings,
    sessionPlaces: new SessionPlaces(settings, observers.observer),
    callSemaphore: settings.maxCalls < Infinity ? new Semaphore(settings.maxCalls) : undefined,
    setupSemaphore: settings.maxSetups < Infinity ? new Semaphore(settings.maxSetups) : undefined,
    now,
    log,
    logOnce(line) {
      if (isFirst(line)) log.warn({}, line);
    },
    descriptors: watchDescriptors((hasSome) =>
      hasSome ? log.info({}, 'file descriptors are free again') : log.error({}, NO_DESCRIPTORS),
    ),
    isReady,
  };
}

const MOST_LINES = 100;
