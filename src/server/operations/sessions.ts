import type { operations } from '../../../generated/ors.ts';
import { andThen, settle } from '../../core/index.ts';
import { type Handlers, Reply } from '../../http/index.ts';
import { SESSION_HEADER } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { getDefaultEnvironment } from '../default-environment.ts';
import { shuttingDownError } from '../limits/unavailable.ts';
import { ignoredFields } from '../sessions/ignored-fields.ts';
import { openServerSession } from '../sessions/open-session.ts';
import { readSecrets } from '../sessions/secrets.ts';
import type { ServerSession } from '../sessions/session.ts';
import { hasIssuedFormat, newSessionId, sessionKey } from '../sessions/session-id.ts';

type Sessions = Pick<operations, 'createSession' | 'createEpisode' | 'ping' | 'deleteEpisode' | 'deleteSession'>;

/** The life of an episode. Source: HTTP API, "Session Management". */
export const sessionHandlers: Handlers<Sessions, ServerContext> = {
  createSession({ body, accepts, caller }, context) {
    requireReady(context);
    const requested = body?.task_id;
    const sid = requested && hasIssuedFormat(requested) ? requested : newSessionId(context.settings.nodeTag);
    context.issuedIds.add(sessionKey(sid, caller));
    const content = accepts('text/event-stream') ? issuedEvents(sid) : { sid };
    return new Reply(content, { [SESSION_HEADER]: sid });
  },

  createEpisode(request, context) {
    const { header, body, caller } = request;
    const sid = header['X-Session-ID'];
    if (!context.isReady() && !context.issuedIds.has(sessionKey(sid, caller))) requireReady(context);
    const ignored = ignoredFields(body);
    const environment = body.env_name
      ? context.environments.get(body.env_name)
      : getDefaultEnvironment(context, header);
    const secrets = readSecrets(body.secrets, header['X-Secrets']);
    const labels = { run: header['X-Trace-Run'], group: header['X-Trace-Group'] };
    const { onClose } = request;
    const open = () => openServerSession(sid, { environment, body, secrets, caller, onClose, labels }, context);
    return andThen(context.sessionSlots.acquire(request), () =>
      settle(
        open,
        (session) => created(session, ignored, context),
        (error) => {
          context.sessionSlots.release(caller);
          throw error;
        },
      ),
    );
  },

  ping({ header, caller }, { sessions }) {
    sessions.get(header['X-Session-ID'], caller);
    return { status: 'ok' };
  },

  deleteEpisode({ header, caller }, { sessions }) {
    const sid = header['X-Session-ID'];
    return andThen(sessions.delete(sid, caller), () => ({ sid }));
  },

  deleteSession: ({ header }) => ({ sid: header['X-Session-ID'] }),
};

function created(session: ServerSession, ignored: readonly string[], context: ServerContext): Reply<{ sid: string }> {
  const { sid, owner, recorder } = session;
  context.issuedIds.markUsed(sessionKey(sid, owner));
  const traceId = recorder?.traceId;
  const headers = { [SESSION_HEADER]: sid, ...(traceId !== undefined && { 'X-Trace-ID': traceId }) };
  if (ignored.length === 0) return new Reply({ sid }, headers);
  // Their names are part of a body, and so not for the log.
  context.logOnce('POST /create ignores fields that it does not know; its answer names them in X-Ignored-Fields');
  const names = ignored.map(encodeURIComponent).join(', ');
  return new Reply({ sid }, { ...headers, 'X-Ignored-Fields': names });
}

function requireReady({ isReady, observer }: ServerContext): void {
  if (isReady()) return;
  observer.rejected('draining');
  throw shuttingDownError();
}

async function* issuedEvents(sid: string) {
  yield { event: 'task_id', data: sid };
  yield { event: 'end', data: JSON.stringify({ sid }) };
}
