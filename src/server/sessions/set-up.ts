import { type Awaitable, andThen, type Semaphore, settlesWithin } from '../../core/index.ts';
import type { HostedEpisode, HostedSession } from '../../hosting/index.ts';
import { type AuthorCodeContext, runAuthorCode } from '../author-error.ts';
import { withPermit } from '../limits/with-permit.ts';
import type { ServerLog } from '../log.ts';
import type { AuthorWork, AuthorWorkEnd, Observer } from '../observe/observer.ts';
import { observeWork } from '../observe/watch-work.ts';
import type { ServerSettings } from '../settings.ts';

export interface SetupDependencies {
  readonly settings: ServerSettings;
  readonly observer: Observer;
  readonly log: ServerLog;
  /** Undefined where there is no limit. */
  readonly setupSemaphore: Semaphore | undefined;
}

interface SessionToSetUp extends HostedSession {
  readonly hasEnded: boolean;
  describeCode(what: string): AuthorCodeContext;
  describeWork(kind: 'setup'): AuthorWork;
}

/** Sets an episode up, when there is a place for that. @throws what clients are to be told. */
export function setUpEpisode(
  session: SessionToSetUp,
  episode: HostedEpisode,
  context: SetupDependencies,
): Awaitable<void> {
  const { observer, setupSemaphore, settings } = context;
  const work = () =>
    observeWork(observer, session.describeWork('setup'), (end) => runSetup(session, episode, context, end));
  if (!setupSemaphore) return work();
  const waiting = () => observer.waiting('setup');
  return withPermit(setupSemaphore, { signal: session.signal, graceMs: settings.deleteGraceMs, waiting }, work);
}

function runSetup(
  session: SessionToSetUp,
  episode: HostedEpisode,
  context: SetupDependencies,
  end: (end: AuthorWorkEnd) => void,
): Awaitable<void> {
  if (session.hasEnded) throw session.signal.reason;
  const { setupTimeoutMs } = context.settings;
  const setup = runAuthorCode(session.describeCode('setup'), context, () => episode.setup());
  if (setupTimeoutMs === Infinity) return setup;
  return andThen(settlesWithin(setupTimeoutMs, setup), (isInTime) => {
    if (isInTime) return setup;
    const reason = `its setup took longer than ${setupTimeoutMs} ms`;
    end({ outcome: 'timeout', error: reason });
    episode.abort(reason);
    session.onLost(reason);
    return setup;
  });
}
