import { firstTimes, Semaphore } from '../core/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { NO_DESCRIPTORS, watchDescriptors } from '../http/index.ts';
import { ResultCache } from './calls/results.ts';
import type { ServerContext } from './context.ts';
import { createEnvironmentTable } from './environments.ts';
import { SessionSlots } from './limits/session-places.ts';
import { createWarningLog } from './log.ts';
import { createObservers } from './observe/create-observers.ts';
import type { ServerOptions, ServerSpec } from './server-options.ts';
import { IssuedIds } from './sessions/issued-ids.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { resolveSettings } from './settings.ts';

/** What the operations of a new server share. @throws TypeError for environments or settings that cannot be meant. */
export function createContext(
  environments: readonly HostedEnvironment[],
  options: ServerOptions & { readonly spec: ServerSpec },
  isReady: () => boolean,
): ServerContext {
  const settings = resolveSettings(options);
  const { now = () => performance.now(), log = createWarningLog(), metrics = true } = options;
  const table = createEnvironmentTable(environments);
  const isFirst = firstTimes(MAX_LINES);
  const observers = createObservers({ log, environments: table.names, metrics });
  return {
    ...observers,
    environments: table,
    sessions: new SessionRegistry(settings, observers.observer),
    issuedIds: new IssuedIds(now),
    resultCache: new ResultCache({ ...settings, now }),
    document: options.spec.document,
    recorder: options.recorder,
    settings,
    sessionSlots: new SessionSlots(settings, observers.observer),
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

const MAX_LINES = 100;
