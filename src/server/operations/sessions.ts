import { randomUUID } from 'node:crypto';
import type { operations } from '../../../generated/ors.ts';
import { type Handlers, Reply } from '../../http/index.ts';
import { OrsError, SESSION_HEADER } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { defaultEnvironment } from '../default-environment.ts';
import { ignoredFields } from '../sessions/ignored-fields.ts';
import { openSession } from '../sessions/open-session.ts';
import { readSecrets } from '../sessions/secrets.ts';

type Sessions = Pick<operations, 'createSession' | 'createEpisode' | 'ping' | 'deleteEpisode' | 'deleteSession'>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The life of an episode. Source: HTTP API, "Session Management". */
export const sessions: Handlers<Sessions, ServerContext> = {
  createSession({ body, accepts }) {
    const wanted = body?.task_id;
    const sid = wanted && UUID.test(wanted) ? wanted : randomUUID();
    const content = accepts('text/event-stream') ? issuedEvents(sid) : { sid };
    return new Reply(content, { [SESSION_HEADER]: sid });
  },

  async createEpisode({ header, body }, context) {
    if (!context.isReady()) throw new OrsError('unavailable', 'this server is shutting down and takes no new episodes');
    const sid = header['X-Session-ID'];
    const ignored = ignoredFields(body);
    const environment = body.env_name ? context.environments.get(body.env_name) : defaultEnvironment(context, header);
    await openSession(sid, { environment, body, secrets: readSecrets(body.secrets, header['X-Secrets']) }, context);
    if (ignored.length === 0) return { sid };
    context.logOnce(`POST /create ignores the fields ${ignored.join(', ')}`);
    return new Reply({ sid }, { 'X-Ignored-Fields': ignored.map(encodeURIComponent).join(', ') });
  },

  ping({ header }, context) {
    context.sessions.get(header['X-Session-ID']);
    return { status: 'ok' };
  },

  async deleteEpisode({ header }, { sessions }) {
    const sid = header['X-Session-ID'];
    await sessions.delete(sid);
    return { sid };
  },

  deleteSession: ({ header }) => ({ sid: header['X-Session-ID'] }),
};

async function* issuedEvents(sid: string) {
  yield { event: 'task_id', data: sid };
  yield { event: 'end', data: JSON.stringify({ sid }) };
}
