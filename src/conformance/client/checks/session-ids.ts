import { assertConforms } from '../../verdict.ts';
import { describeOutcome } from '../adapter/index.ts';
import type { ClientCheck } from '../check.ts';
import type { ScriptedHandler, ScriptedReply } from '../server/index.ts';

const SID = '6f1d2c52-6f0e-4b93-9a51-2c1d7b3c0a77';

const json: ScriptedHandler = (_, reply) => reply.json(200, { sid: SID });

const stream =
  (write: (reply: ScriptedReply) => Promise<void>): ScriptedHandler =>
  async (_, reply) => {
    reply.stream();
    await write(reply);
    reply.end();
  };

/** The id that a server issues in this way is the one that the client creates its episode with. */
const takes = (name: string, title: string, response: ScriptedHandler): ClientCheck => ({
  id: `client/session/${name}`,
  title,
  requirement: 'ORS-CLNT-002',
  async run(stage) {
    stage.server.setHandler('create_session', response);

    const outcome = await stage.tryToOpen();

    const [created] = stage.server.requestsOf('create');
    const asked = stage.server.requestsOf('create_session').length;
    assertConforms(
      created,
      `after ${asked} answers of /create_session there was no /create: opening ${describeOutcome(outcome)}`,
    );
    assertConforms(
      created.sid === SID,
      `/create came with the session id ${JSON.stringify(created.sid)} instead of '${SID}'`,
    );
  },
});

export const sessionIdChecks: readonly ClientCheck[] = [
  takes('json', 'Reads the session id from JSON, as in the documents', json),
  takes(
    'task-id-event',
    'Reads the session id from the task_id event of a stream whose end event is empty, as the reference server sends it',
    stream(async (reply) => {
      await reply.event('task_id', SID);
      await reply.event('end', '');
    }),
  ),
  takes(
    'end-event',
    'Reads the session id from the JSON of the end event, if only that has it',
    stream((reply) => reply.event('end', JSON.stringify({ sid: SID }))),
  ),
];
