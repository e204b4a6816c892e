import type { operations } from '../../../generated/ors.ts';
import { andThen, settle } from '../../core/index.ts';
import { type Handlers, Reply } from '../../http/index.ts';
import { SESSION_HEADER } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { defaultEnvironment } from '../default-environment.ts';
import { shuttingDown } from '../limits/unavailable.ts';
import { ignoredFields } from '../sessions/ignored-fields.ts';
import { openSession } from '../sessions/open-session.ts';
import { readSecrets } from '../sessions/secrets.ts';
import type { Session } from '../sessions/session.ts';
import { isIssuedForm, newSessionId, sessionKey } from '../sessions/session-id.ts';

type Sessions = Pick<operations, 'createSession' | 'createEpisode' | 'ping' | 'deleteEpisode' | 'deleteSession'>;

/** The life of an episode. Source: HTTP API, "Session Management". */
export const sessions: Handlers<Sessions, ServerContext> = {
  createSession({ body, accepts, caller }, context) {
    requireReady(context);
    const wanted = body?.task_id;
    const sid = wanted && isIssuedForm(wanted) ? wanted : newSessionId(context.settings.nodeTag);
    context.issuedIds.add(sessionKey(sid, caller));
    const content = accepts('text/event-stream') ? issuedEvents(sid) : { sid };
    return new Reply(content, { [SESSION_HEADER]: sid });
  },

  createEpisode(request, context) {
    const { header, body, caller } = request;
    const sid = header['X-Session-ID'];
    if (!context.isReady() && !context.issuedIds.has(sessionKey(sid, caller))) requireReady(context);
    const ignored = ignoredFields(body);
    const environment = body.env_name ? context.environments.get(body.env_name) : defaultEnvironment(context, header);
    const secrets = readSecrets(body.secrets, header['X-Secrets']);
    const labels = { run: header['X-Trace-Run'], group: header['X-Trace-Group'] };
    const { onClose } = request;
    const open = () => openSession(sid, { environment, body, secrets, caller, onClose, labels }, context);
    return andThen(context.sessionPlaces.enter(request), () =>
      settle(
        open,
        (session) => created(session, ignored, context),
        (error) => {
          context.sessionPlaces.leave(caller);
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

function created(session: Session, ignored: readonly string[], context: ServerContext): Reply<{ sid: string }> {
  const { sid, owner, record } = session;
  context.issuedIds.used(sessionKey(sid, owner));
  const traceId = record?.traceId;
  const headers = { [SESSION_HEADER]: sid, ...(traceId !== undefined && { 'X-Trace-ID': traceId }) };
  if (ignored.length === 0) return new Reply({ sid }, headers);
  // Their names are part of a body, and so not for the log.
  context.logOnce('POST /create ignores fields that it does not know; its answer names them in X-Ignored-Fields');
  const names = ignored.map(encodeURIComponent).join(', ');
  return new Reply({ sid }, { ...headers, 'X-Ignored-Fields': names });
}

function requireReady({ isReady, observer }: ServerContext): void {
  if (isReady()) return;
  observer.refused('draining');
  throw shuttingDown();
}

async function* issuedEvents(sid: string) {
  yield { event: 'task_id', data: sid };
  yield { event: 'end', data: JSON.stringify({ sid }) };
}
