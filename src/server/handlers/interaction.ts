import type { operations } from '../../../generated/ors.ts';
import { type Awaitable, andThen, settlesWithin } from '../../core/index.ts';
import { listTools, type ToolListing } from '../../environment/index.ts';
import type { HostedEpisode, LazyAbortController } from '../../hosting/index.ts';
import { type Handlers, HttpError, type OperationRequest } from '../../http/index.ts';
import { flattenMessages, promptMessages, type SerializedBlock, type SerializedMessage } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { withLookupTimeout } from '../limits/with-limits.ts';
import { runAuthorCode } from '../observability/author-error.ts';
import { JournalError } from '../sessions/durable-episode.ts';
import type { EpisodeRecorder } from '../sessions/recorder.ts';
import type { ServerSession } from '../sessions/session.ts';
import type { ServerSettings } from '../settings.ts';
import { toolsResponse } from './discovery.ts';

/** Handlers for the tools and the prompt of an episode. Source: HTTP API, "Episode Interaction". */
export const interactionHandlers = {
  async listTaskTools(request, context) {
    const session = findSession(request, context);
    const listing = await session.hold(() => readTools(session, request, context));
    session.recorder?.tools(listing.tools, listing.terminalTool);
    return toolsResponse(listing, session.environment, context);
  },

  getPrompt(request, context) {
    const session = findSession(request, context);
    return session.hold(() =>
      andThen(whenReady(session, request, context), (episode): Awaitable<SerializedBlock[]> => {
        if (!session.environment.hasPrompt) return andThen(readMessages(episode, session, context), flattenMessages);
        return andThen(readPrompt(episode, session, context), (blocks) => [...blocks]);
      }),
    );
  },

  getMessages(request, context) {
    const session = findSession(request, context);
    return session.hold(() =>
      andThen(whenReady(session, request, context), (episode): Awaitable<SerializedMessage[]> => {
        if (session.environment.hasMessages) {
          return andThen(readMessages(episode, session, context), (messages) => [...messages]);
        }
        return andThen(readPrompt(episode, session, context), (blocks) => promptMessages(blocks));
      }),
    );
  },
} satisfies Partial<Handlers<operations, ServerContext>>;

type EpisodeRequest = Pick<OperationRequest<operations['getPrompt']>, 'header' | 'caller' | 'headerOf'>;

const findSession = ({ header, caller }: EpisodeRequest, { sessions }: ServerContext): ServerSession =>
  sessions.get(header['X-Session-ID'], caller);

/** Lists the tools of an episode. Only tools of single tasks have to wait for setup. */
function readTools(session: ServerSession, request: EpisodeRequest, context: ServerContext): Awaitable<ToolListing> {
  const { environment, toolset } = session;
  if (session.isSettingUp && !environment.hasTaskTools) {
    return (toolset === undefined ? undefined : environment.toolsets.get(toolset)) ?? environment;
  }
  return andThen(whenReady(session, request, context), ({ tools }) => listTools(tools.values()));
}

function readPrompt(episode: HostedEpisode, session: ServerSession, context: ServerContext) {
  const read = () => runLookup('prompt', session, context, (wait) => episode.prompt(wait));
  const { durable } = session;
  const prompt = durable ? orUnstored(session, durable.prompt(read), context) : read();
  return andThen(prompt, (blocks) => {
    session.recorder?.prompt(blocks);
    return blocks;
  });
}

function readMessages(episode: HostedEpisode, session: ServerSession, context: ServerContext) {
  const read = () => runLookup('messages', session, context, (wait) => episode.messages(wait));
  const { durable } = session;
  const conversation = durable ? orUnstored(session, durable.messages(read), context) : read();
  return andThen(conversation, (messages) => {
    recordMessages(session.recorder, messages);
    return messages;
  });
}

export function recordMessages(recorder: EpisodeRecorder | undefined, messages: readonly SerializedMessage[]): void {
  if (recorder?.messages) recorder.messages(messages);
  else recorder?.prompt(flattenMessages(messages));
}

/** Drops the session if the journal cannot store its prompt: the next request continues it from the journal. */
async function orUnstored<T>(session: ServerSession, stored: Promise<T>, { sessions }: ServerContext): Promise<T> {
  try {
    return await session.untilEnded(stored);
  } catch (error) {
    if (error instanceof JournalError) sessions.endAsUnstored(session, error);
    session.assertNotMoved();
    throw error;
  }
}

/** Runs author code until it settles, exceeds the time limit of lookups, or the session ends. */
function runLookup<T>(
  label: string,
  session: ServerSession,
  context: ServerContext,
  work: (wait: LazyAbortController) => Awaitable<T>,
): Awaitable<T> {
  const lookUp = () => withLookupTimeout(context.settings.lookupTimeoutMs, work);
  return session.untilEnded(runAuthorCode(session.describeCode(label), context, lookUp));
}

/**
 * Waits for setup.
 *
 * @throws HttpError 503 if setup takes longer than a client waits that understands this response.
 */
function whenReady(session: ServerSession, request: EpisodeRequest, context: ServerContext): Awaitable<HostedEpisode> {
  if (session.readyEpisode) return session.readyEpisode;
  const waitMs = session.isSettingUp ? startingWaitMs(request, context.settings) : undefined;
  if (waitMs === undefined) return session.ready;
  return andThen(settlesWithin(waitMs, session.ready), (isReady) => {
    if (!isReady) throw startingError();
    return session.ready;
  });
}

/** First version of openreward that repeats a request after "starting". */
const RETRYING_CLIENT = [0, 1, 157] as const;

/**
 * Returns how long a request waits for setup, or undefined for a client that would not repeat it. A client announces that
 * it would by `Prefer: wait=<seconds>` (RFC 7240) or by the `User-Agent` of openreward.
 */
function startingWaitMs({ headerOf }: EpisodeRequest, { setupWaitMs }: ServerSettings): number | undefined {
  const [, seconds] = /(?:^|[,;])\s*wait\s*=\s*"?(\d+)/i.exec(headerOf('prefer') ?? '') ?? [];
  if (seconds !== undefined) return Math.min(Number(seconds) * 1_000, setupWaitMs);
  const version = /^openreward-sdk\/(\d+)\.(\d+)\.(\d+)/.exec(headerOf('user-agent') ?? '')?.slice(1);
  return version && isAtLeast(version.map(Number), RETRYING_CLIENT) ? setupWaitMs : undefined;
}

/** Compares versions, number by number. */
function isAtLeast(version: readonly number[], min: readonly number[]): boolean {
  const index = version.findIndex((part, at) => part !== min[at]);
  return index === -1 || (version[index] ?? 0) > (min[index] ?? 0);
}

/** Sent while setup continues. Source: openreward 0.1.167, which repeats the request for ten minutes. */
const startingError = (): HttpError =>
  new HttpError(503, 'the environment is still starting; repeat the request', {
    'X-Backend-State': 'starting',
    'Retry-After': '2',
  });
