import type { operations } from '../../../generated/ors.ts';
import {
  type Awaitable,
  andThen,
  errorMessage,
  isRecord,
  misspelledName,
  orElse,
  randomSeed,
  settle,
  tooShortWarning,
  truncate,
  tryParseJson,
  wellFormedPrefix,
} from '../../core/index.ts';
import {
  type HostedEnvironment,
  type HostedEpisode,
  LazyAbortController,
  type TaskSelectorFields,
} from '../../hosting/index.ts';
import { type Handlers, type OperationRequest, Reply } from '../../http/index.ts';
import { type CreateSession, OrsError, SESSION_HEADER } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { getDefaultEnvironment } from '../environments.ts';
import { shuttingDownError } from '../limits/session-slots.ts';
import { withLookupTimeout } from '../limits/with-limits.ts';
import { runAuthorCode } from '../observability/author-error.ts';
import { DurableEpisode } from '../sessions/durable-episode.ts';
import { EpisodeExistsError, type Journal, type JournaledEpisode, type JournaledRecord } from '../sessions/journal.ts';
import { sessionExistsError } from '../sessions/registry.ts';
import { ServerSession, type ServerSessionOptions } from '../sessions/session.ts';
import { hasIssuedFormat, newSessionId, sessionKey } from '../sessions/session-id.ts';

const CREATE_FIELDS = ['env_name', 'task_spec', 'split', 'index', 'toolset_name', 'secrets'];

const MAX_UNKNOWN_FIELDS = 100;

/** Unknown fields that a response header lists, and characters of each; they are percent-encoded there. */
const MAX_LISTED_FIELDS = 10;
const MAX_LISTED_LENGTH = 30;

/** Handlers for the life cycle of episodes. Source: HTTP API, "Session Management". */
export const sessionHandlers = {
  createSession({ body, prefers, caller }, context) {
    requireReady(context);
    const requested = body?.task_id;
    const sid = requested && hasIssuedFormat(requested) ? requested : newSessionId(context.settings.nodeTag);
    context.issuedIds.add(sessionKey(sid, caller));
    const content = prefers('text/event-stream', 'application/json') ? issuedEvents(sid) : { sid };
    return new Reply(content, { [SESSION_HEADER]: sid });
  },

  createEpisode(request, context) {
    const { header, body, caller } = request;
    const sid = header['X-Session-ID'];
    if (!context.isReady() && !context.issuedIds.has(sessionKey(sid, caller))) requireReady(context);
    const ignored = ignoredFields(body);
    const environment =
      typeof body.env_name === 'string'
        ? context.environments.get(body.env_name)
        : getDefaultEnvironment(context, header);
    const secrets = readSecrets(body.secrets, header['X-Secrets']);
    const toolset = selectToolset(body.toolset_name, environment);
    const open = () => openSession(request, { environment, toolset, secrets }, context);
    return andThen(context.sessionSlots.acquire(request), () =>
      settle(
        open,
        (session) => createdReply(session, ignored, context),
        (error) => {
          context.sessionSlots.release(caller);
          throw error;
        },
      ),
    );
  },

  ping({ header, caller }, { sessions }) {
    const sid = header['X-Session-ID'];
    if (!sessions.evictedOf(sid, caller)) sessions.get(sid, caller);
    return { status: 'ok' };
  },

  deleteEpisode({ header, caller }, { sessions }) {
    const sid = header['X-Session-ID'];
    return andThen(sessions.delete(sid, caller), () => ({ sid }));
  },

  deleteSession: ({ header }) => ({ sid: header['X-Session-ID'] }),
} satisfies Partial<Handlers<operations, ServerContext>>;

/** @throws HttpError 503 while the server is draining or closing. */
export function requireReady({ isReady, observer }: ServerContext): void {
  if (isReady()) return;
  observer.rejected('draining');
  throw shuttingDownError();
}

async function* issuedEvents(sid: string) {
  yield { event: 'task_id', data: sid };
  yield { event: 'end', data: JSON.stringify({ sid }) };
}

/**
 * Finds the task and adds the session to the registry, which starts its setup in the background.
 *
 * @throws OrsError bad_request if the session exists or the request does not select a task.
 */
function openSession(
  { header, headerOf, body, caller, onClose }: OperationRequest<operations['createEpisode']>,
  options: Pick<ServerSessionOptions, 'environment' | 'toolset' | 'secrets'>,
  context: ServerContext,
): Awaitable<ServerSession> {
  const task = taskSelector(body);
  const { environment } = options;
  const session = new ServerSession({ sid: header['X-Session-ID'], owner: caller, ...options }, context);
  for (const name of session.redactor.tooShort) context.logOnce(session.redactor.text(tooShortWarning(name)));
  const wait = new LazyAbortController();
  let isFound = false;
  onClose(() => isFound || wait.abort(new OrsError('unavailable', 'the client has disconnected')));
  const { lookupTimeoutMs } = context.settings;
  const isDurable = context.journal !== undefined && environment.durability !== undefined;
  const labels = {
    run: header['X-Trace-Run'],
    group: header['X-Trace-Group'],
    tags: traceTags(header['X-Trace-Tags'], headerOf('user-agent')),
  };
  const recordId = isDurable ? context.recorder?.newRecordId?.() : undefined;
  const find = () => withLookupTimeout(lookupTimeoutMs, () => environment.open(task, session, wait), wait);
  const open = () =>
    andThen(runAuthorCode(session.describeCode('tasks'), context, find), (episode) => {
      isFound = true;
      startRecord(session, task, { ...labels, recordId }, context);
      return episode;
    });
  const record = recordId === undefined ? undefined : { ...labels, recordId };
  const openJournaled = () => openDurable(session, { task, record }, open, context);
  const added = context.sessions.add(session, wait, isDurable ? openJournaled : open);
  return andThen(added, () => session);
}

/** Starts the record of an episode, or continues it if the episode comes back. */
export function startRecord(
  session: ServerSession,
  task: TaskSelectorFields,
  record: Omit<JournaledRecord, 'recordId'> & { readonly recordId: string | undefined },
  { recorder }: ServerContext,
): void {
  session.recorder = recorder?.startEpisode({ ...session.ref, task, secrets: session.secrets, ...record });
}

/** Programs with which people send single requests. */
const BY_HAND = /^(curl|wget|httpie|xh|postmanruntime|insomnia)\//i;

/** Returns the tags that a client names, which may be none. */
function traceTags(tags: string | undefined, userAgent = ''): readonly string[] {
  if (tags === undefined) return BY_HAND.test(userAgent) ? ['by-hand'] : [];
  const named = tags.split(',').map((tag) => tag.trim().slice(0, 256));
  return [...new Set(named)].filter((tag) => tag !== '').slice(0, 100);
}

/** Secrets that openreward adds to every session: the key of its user, or an empty text. */
const KEYS_OF_OPENREWARD = ['api_key', 'OPENREWARD_API_KEY'];

/** Returns the names of the secrets that a client must send again when the journal brings the session back. */
const secretsToRepeat = ({ environment, secrets }: ServerSession): string[] =>
  Object.keys(secrets).filter((name) => environment.secrets.includes(name) || !KEYS_OF_OPENREWARD.includes(name));

/** Adds the episode to the journal, then opens it. */
async function openDurable(
  session: ServerSession,
  created: Pick<JournaledEpisode, 'task' | 'record'>,
  open: () => Awaitable<HostedEpisode>,
  { journal, wallClock }: ServerContext,
): Promise<HostedEpisode> {
  const { sid, owner, toolset } = session;
  const { name: environment, version } = session.environment;
  const episode = { sid, owner, toolset, environment, version, ...created, secrets: secretsToRepeat(session) };
  const conditions = { seed: randomSeed(), now: wallClock() };
  try {
    const journaled = await (journal as Journal).create({ ...episode, ...conditions });
    session.durable = new DurableEpisode(journaled, conditions, wallClock);
  } catch (error) {
    if (error instanceof EpisodeExistsError) throw sessionExistsError();
    session.warn(`the journal failed: ${errorMessage(error)}`);
    throw new OrsError('unavailable', 'the journal is not available; repeat the request', { cause: error });
  }
  return orElse(open, async (error) => {
    await session.durable?.journal.remove().catch(() => undefined);
    throw error;
  });
}

function createdReply(
  session: ServerSession,
  ignored: readonly string[],
  context: ServerContext,
): Reply<{ sid: string }> {
  const { sid, owner, recorder } = session;
  context.issuedIds.markUsed(sessionKey(sid, owner));
  const traceId = recorder?.traceId;
  const headers = { [SESSION_HEADER]: sid, ...(traceId !== undefined && { 'X-Trace-ID': traceId }) };
  if (ignored.length === 0) return new Reply({ sid }, headers);
  // The names come from a request body, so they are not logged.
  context.logOnce('POST /create ignored unknown fields; its response lists them in X-Ignored-Fields');
  const names = ignored.map(encodeURIComponent).join(', ');
  return new Reply({ sid }, { ...headers, 'X-Ignored-Fields': names });
}

/** Returns the fields that select the task. Source: data types, "CreateSession". */
function taskSelector({ task_spec, split, index }: CreateSession): TaskSelectorFields {
  const hasSplit = split !== undefined && split !== null;
  const hasIndex = index !== undefined && index !== null;
  if (task_spec && (hasSplit || hasIndex)) {
    throw new OrsError('bad_request', 'task_spec and split with index exclude each other; send one of them');
  }
  if (task_spec) return { task_spec };
  if (hasSplit && hasIndex) return { split, index };
  if (hasSplit) throw new OrsError('bad_request', 'split came without index; send both, or task_spec');
  if (hasIndex) throw new OrsError('bad_request', 'index came without split; send both, or task_spec');
  throw new OrsError('bad_request', 'no task is named; send task_spec, or split and index');
}

/**
 * Returns the selected toolset, or undefined for none. Source: openreward 0.1.167, `toolset_name`. Clients that request the
 * toolset of an agent continue without one if the message names the word `toolset`.
 *
 * @throws OrsError bad_request for a toolset that the environment does not have.
 */
function selectToolset(name: string | null | undefined, { name: environment, toolsets }: HostedEnvironment) {
  if (name === null || name === undefined) return undefined;
  if (toolsets.has(name)) return name;
  const names = toolsets.size > 0 ? [...toolsets.keys()].join(', ') : 'none';
  throw new OrsError(
    'bad_request',
    `unknown toolset '${truncate(name, 100)}'; environment '${environment}' has: ${names}`,
  );
}

/**
 * Returns the fields of a `/create` body that have no effect. Clients of other platforms send some.
 *
 * @throws OrsError bad_request for a field that looks like a misspelled known one.
 */
function ignoredFields(body: object): string[] {
  const unknown = Object.keys(body).filter((field) => !CREATE_FIELDS.includes(field));
  if (unknown.length > MAX_UNKNOWN_FIELDS) {
    throw new OrsError('bad_request', `the body has ${unknown.length} unknown fields`);
  }
  for (const field of unknown) {
    const meant = misspelledName(field, CREATE_FIELDS);
    if (meant !== undefined)
      throw new OrsError(
        'bad_request',
        `body.${truncate(field, 100)} is not a field of this request; did you mean '${meant}'?`,
      );
  }
  return unknown.slice(0, MAX_LISTED_FIELDS).map((field) => wellFormedPrefix(field, MAX_LISTED_LENGTH).toWellFormed());
}

/**
 * Merges the secrets of the body and of the `X-Secrets` header (base64 of `{name: {"value": ...}}`); the body wins.
 * Returns undefined if there are none. Error messages contain no part of them.
 *
 * @throws OrsError bad_request for a malformed header.
 */
function readSecrets(
  body: Readonly<Record<string, string>> | null | undefined,
  header: string | undefined,
): Readonly<Record<string, string>> | undefined {
  return header || body ? { ...(header && decodeSecrets(header)), ...body } : undefined;
}

/** Decodes the header `X-Secrets`. @throws OrsError bad_request if it is malformed. */
export function decodeSecrets(header: string): Record<string, string> {
  const entries = tryParseJson(Buffer.from(header, 'base64').toString('utf8'));
  if (!isRecord(entries)) throw malformedSecrets();
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => {
      const value = isRecord(entry) ? entry.value : entry;
      if (typeof value !== 'string') throw malformedSecrets();
      return [name, value];
    }),
  );
}

const malformedSecrets = () =>
  new OrsError('bad_request', 'X-Secrets header must be base64 of a JSON object from name to {"value": string}');
