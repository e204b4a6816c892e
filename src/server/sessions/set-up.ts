import { type Awaitable, andThen, type Semaphore, settlesWithin } from '../../core/index.ts';
import type { HostedEpisode, HostedSession } from '../../hosting/index.ts';
import { type AuthorCode, runAuthorCode } from '../author-error.ts';
import { withPermit } from '../limits/with-permit.ts';
import type { Log } from '../log.ts';
import type { Observer, Work, WorkEnd } from '../observe/observer.ts';
import { watchWork } from '../observe/watch-work.ts';
import type { Settings } from '../settings.ts';

export interface SetupContext {
  readonly settings: Settings;
  readonly observer: Observer;
  readonly log: Log;
  /** Undefined where there is no limit. */
  readonly setupSemaphore: Semaphore | undefined;
}

interface NewSession extends HostedSession {
  readonly isOver: boolean;
  code(what: string): AuthorCode;
  work(kind: 'setup'): Work;
}

/** Sets an episode up, when there is a place for that. @throws what clients are to be told. */
export function setUp(session: NewSession, episode: HostedEpisode, context: SetupContext): Awaitable<void> {
  const { observer, setupSemaphore, settings } = context;
  const work = () => watchWork(observer, session.work('setup'), (end) => runSetup(session, episode, context, end));
  if (!setupSemaphore) return work();
  const waiting = () => observer.waiting('setup');
  return withPermit(setupSemaphore, { signal: session.signal, graceMs: settings.deleteGraceMs, waiting }, work);
}

function runSetup(
  session: NewSession,
  episode: HostedEpisode,
  context: SetupContext,
  end: (end: WorkEnd) => void,
): Awaitable<void> {
  if (session.isOver) throw session.signal.reason;
  const { setupTimeoutMs } = context.settings;
  const setup = runAuthorCode(session.code('setup'), context, () => episode.setup());
  if (setupTimeoutMs === Infinity) return setup;
  return andThen(settlesWithin(setupTimeoutMs, setup), (isInTime) => {
    if (isInTime) return setup;
    const reason = `its setup took longer than ${setupTimeoutMs} ms`;
    end({ outcome: 'timeout', error: reason });
    episode.abandon(reason);
    session.onLost(reason);
    return setup;
  });
}
