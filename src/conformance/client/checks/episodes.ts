import { formatDuration } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable, NotApplicableError } from '../../assertions.ts';
import {
  type ClientCheck,
  type ClientHarness,
  type ClientTaskSelector,
  TASK_BY_INDEX,
  TASK_INLINE,
} from '../harness.ts';
import { assumeValue, describeOutcome, ensureText, ensureValue } from '../outcome.ts';
import type { ReceivedRequest, ScriptedReply } from '../server/exchange.ts';
import { ENVIRONMENT, PROMPT_TEXT, resultJson, TASK_TOOL } from '../server/healthy.ts';

/** Returns undefined for commands that the client does not support. */
const ifSupported = <T>(command: Promise<T>): Promise<T | undefined> =>
  command.catch((error: unknown) => {
    if (error instanceof NotApplicableError) return undefined;
    throw error;
  });

/** Plays an episode, and asserts the outcome of every step. */
async function ensurePlays(harness: ClientHarness, where: string): Promise<void> {
  ensureValue(await harness.tryToOpen(), `opening an episode ${where}`);
  const prompt = await ifSupported(harness.prompt());
  const blocks = prompt && ensureValue(prompt, `the prompt ${where}`);
  assertConforms(!blocks || blocks[0]?.text === PROMPT_TEXT, `the prompt ${where} is ${JSON.stringify(blocks)}`);
  ensureText(await harness.callEcho(), 'hello', `the call ${where}`);
  ensureValue(await harness.close(), `closing the episode ${where}`);
}

const SESSION_OPERATIONS = ['create', 'prompt', 'task_tools', 'call', 'ping', 'delete', 'delete_session'];

/** Time for a request that the client sends after the command has completed. */
const FOLLOW_UP_MS = 2_000;

async function ensureDeleted({ server }: ClientHarness, when: string): Promise<void> {
  const sid = server.requestsOf('create')[0]?.sid;
  const isDeleted = () => server.requestsOf('delete').some((request) => request.sid === sid);
  const wasDeleted = await server.waitFor(isDeleted, FOLLOW_UP_MS);
  assertConforms(wasDeleted, `${when}, there was no /delete of the session ${JSON.stringify(sid)}`);
}

/** Opens an episode, and returns the body of its /create. */
async function openAndGetCreate(harness: ClientHarness, source: ClientTaskSelector): Promise<ReceivedRequest['json']> {
  const outcome = await harness.tryToOpen(source);
  const [request] = harness.server.requestsOf('create');
  assume(request, `there was no /create: opening an episode ${describeOutcome(outcome)}`);
  return request.json;
}

export const clientEpisodeChecks: readonly ClientCheck[] = [
  {
    id: 'client/episode/plain',
    title: 'Plays an episode on a server that has only the operations of the standard',
    requirement: 'ORS-CLNT-024',
    async run(harness) {
      harness.server.setResponse('other', 404, { detail: 'Not Found' });
      await ensurePlays(harness, 'on a server with only the operations of the standard');
    },
  },
  {
    id: 'client/episode/base-path',
    title: 'Plays an episode on a server whose base URL has a path',
    requirement: 'ORS-CLNT-023',
    async run(harness) {
      harness.server.prefix = '/some/where';
      await ensurePlays(harness, 'below /some/where');
      const outside = harness.server.requests.find(({ exchange }) => !exchange.url.includes('/some/where/'));
      assertConforms(!outside, `${outside?.exchange.url} is not below the base URL ${harness.server.url}`);
    },
  },
  {
    id: 'client/episode/session-id',
    title: 'Sends its session id with every request of an episode',
    requirement: 'ORS-CLNT-016',
    async run(harness) {
      await harness.open();
      await ifSupported(harness.prompt());
      await ifSupported(harness.tools());
      await harness.callEcho();
      await harness.idle(harness.times.heartbeatMs * 1.2);
      await harness.close();

      const { requests, state } = harness.server;
      const [create] = harness.server.requestsOf('create');
      assume(create, 'there was no /create');
      assertConforms(state.sids.includes(create.sid ?? ''), `/create had the session id ${JSON.stringify(create.sid)}`);
      const other = requests.find(({ operation, sid }) => SESSION_OPERATIONS.includes(operation) && sid !== create.sid);
      const found = `${other?.path} had the session id ${JSON.stringify(other?.sid)}`;
      assertConforms(!other, `${found} instead of '${create.sid}'`);
    },
    slow: true,
  },
  {
    id: 'client/episode/task-tools',
    title: 'Requests the tools of its episode, not only those that all tasks share',
    requirement: 'ORS-CLNT-014',
    async run(harness) {
      await harness.open();

      const tools = ensureValue(await harness.tools(), 'the list of tools');

      assertConforms(harness.server.requestsOf('task_tools').length > 0, 'there was no /task_tools');
      const names = tools.map(({ name }) => name);
      const listed = `the tools of the episode are ${names.join(', ')}`;
      assertConforms(names.includes(TASK_TOOL.name), `${listed}, without ${TASK_TOOL.name}`);
    },
  },
  {
    id: 'client/episode/accept',
    title: 'Sends Accept: text/event-stream with a call',
    requirement: 'ORS-CLNT-017',
    async run(harness) {
      await harness.open();

      await harness.callEcho();

      const [call] = harness.server.requestsOf('call');
      assume(call, 'there was no /call');
      const accept = call.header('accept');
      assertConforms(accept?.includes('text/event-stream'), `/call had ${accept ? `Accept: ${accept}` : 'no Accept'}`);
    },
  },
  {
    id: 'client/create/environment',
    title: 'Names the environment when it creates by split and index',
    requirement: 'ORS-CLNT-009',
    async run(harness) {
      const { env_name, split } = await openAndGetCreate(harness, TASK_BY_INDEX);
      assumeApplicable(typeof split === 'string', 'the client creates by task_spec alone');
      const isNamed = typeof env_name === 'string' && env_name.toLowerCase() === ENVIRONMENT;
      const advice = `of '${ENVIRONMENT}'; the server would open its first environment`;
      assertConforms(isNamed, `/create had the env_name ${JSON.stringify(env_name ?? null)} instead ${advice}`);
    },
  },
  createCheck('index', 'split and index', TASK_BY_INDEX),
  createCheck('task', 'its task_spec', TASK_INLINE),
  {
    id: 'client/delete/when-done',
    title: 'Deletes its episode when it is done',
    requirement: 'ORS-CLNT-012',
    async run(harness) {
      await harness.open();
      assumeValue(await harness.call('finish'), 'the call of finish');

      await harness.close();

      await ensureDeleted(harness, 'after the episode was closed');
    },
  },
  {
    id: 'client/delete/after-failure',
    title: 'Deletes its episode after a call that failed',
    requirement: 'ORS-CLNT-012',
    async run(harness) {
      harness.server.setHandler('call', async (_, reply) => {
        reply.stream();
        await reply.endWith('error', 'the sandbox has crashed');
      });
      await harness.open();
      await harness.callEcho();

      await harness.close();

      await ensureDeleted(harness, 'after a call had failed and the episode was closed');
    },
  },
  {
    // The documents call /delete_session optional.
    id: 'client/delete/no-delete-session',
    title: 'Closes an episode although the server has no /delete_session',
    requirement: 'ORS-CLNT-012',
    async run(harness) {
      harness.server.setResponse('delete_session', 404, { detail: 'Not Found' });
      await harness.open();

      const outcome = await harness.close();

      assumeApplicable(harness.server.requestsOf('delete_session').length > 0, 'the client sends no /delete_session');
      ensureValue(outcome, 'closing, when /delete_session was rejected with 404,');
    },
  },
];

/** Returns the fields of task sources in a /create; null counts as absent. */
const sourcesOf = (json: ReceivedRequest['json']): readonly string[] =>
  ['task_spec', 'split', 'index'].filter((field) => (json[field] ?? null) !== null);

/** Either source is allowed: a client may resolve an index to a task, or a task to its index. */
function createCheck(name: string, what: string, source: ClientTaskSelector): ClientCheck {
  return {
    id: `client/create/by-${name}`,
    title: `Sends exactly one task source to play a task by ${what}`,
    requirement: 'ORS-CLNT-011',
    async run(harness) {
      const sent = sourcesOf(await openAndGetCreate(harness, source)).join(', ');
      const isOne = sent === 'task_spec' || sent === 'split, index';
      assertConforms(isOne, `/create had ${sent || 'none'} of task_spec, split and index`);
    },
  };
}

const SID = '6f1d2c52-6f0e-4b93-9a51-2c1d7b3c0a77';

export const sessionIdChecks: readonly ClientCheck[] = [
  sessionIdCheck('json', 'Reads the session id from JSON, as in the documents', (reply) =>
    reply.json(200, { sid: SID }),
  ),
  sessionIdCheck(
    'task-id-event',
    'Reads the session id from the task_id event of a stream whose end event is empty, as the reference server sends it',
    async (reply) => {
      reply.stream();
      await reply.event('task_id', SID);
      await reply.endWith('end', '');
    },
  ),
  sessionIdCheck(
    'end-event',
    'Reads the session id from the JSON of the end event, if only that has it',
    async (reply) => {
      reply.stream();
      await reply.endWith('end', JSON.stringify({ sid: SID }));
    },
  ),
];

/** Returns a check that the client uses the session id that the server issues in this form. */
function sessionIdCheck(
  name: string,
  title: string,
  issue: (reply: ScriptedReply) => void | Promise<void>,
): ClientCheck {
  return {
    id: `client/session/${name}`,
    title,
    requirement: 'ORS-CLNT-002',
    async run(harness) {
      harness.server.setHandler('create_session', (_, reply) => issue(reply));

      const outcome = await harness.tryToOpen();

      const [create] = harness.server.requestsOf('create');
      const count = harness.server.requestsOf('create_session').length;
      const missing = `after ${count} responses of /create_session there was no /create`;
      assertConforms(create, `${missing}: opening ${describeOutcome(outcome)}`);
      const sent = JSON.stringify(create.sid);
      assertConforms(create.sid === SID, `/create had the session id ${sent} instead of '${SID}'`);
    },
  };
}

/** Duration of idleness and calls, in heartbeat intervals. */
const INTERVALS = 3.5;

/** Counts pings, without those at the start: some clients send one when they open an episode. */
function pingsSince({ server, times }: ClientHarness, since: number, until: number): number {
  return server
    .requestsOf('ping')
    .filter(({ exchange: { sentAt } }) => sentAt > since + times.heartbeatMs / 2 && sentAt < until).length;
}

export const clientPingChecks: readonly ClientCheck[] = [
  {
    id: 'client/ping/idle',
    title: 'Pings while it is idle',
    requirement: 'ORS-CLNT-006',
    slow: true,
    async run(harness) {
      const { times, server } = harness;
      await harness.open();
      const since = server.now();

      await harness.idle(INTERVALS * times.heartbeatMs);

      // A blocked process runs its timers before it reads its sockets.
      const hasPinged = await server.waitFor(() => pingsSince(harness, since, server.now()) > 0, times.heartbeatMs);
      const idleness = formatDuration(INTERVALS * times.heartbeatMs);
      assertConforms(hasPinged, `the client sent no ping in ${idleness} of idleness`);
    },
  },
  {
    id: 'client/ping/during-call',
    title: 'Pings while a call runs',
    requirement: 'ORS-CLNT-015',
    slow: true,
    async run(harness) {
      const { times, server } = harness;
      const runMs = INTERVALS * times.heartbeatMs;
      harness.onCall(async (reply) => {
        for (let waited = 0; waited < runMs && !reply.isClosed; waited += times.heartbeatMs / 2) {
          await server.pause(times.heartbeatMs / 2);
          await reply.write(': ping\n\n');
        }
        await reply.endWith('end', resultJson('done'));
      });
      await harness.open();

      const outcome = await harness.callEcho(runMs);

      const [call] = server.requestsOf('call');
      const endedAt = call?.exchange.endedAt ?? server.now();
      assume(call && endedAt - call.exchange.sentAt >= runMs * 0.9, `a long call ${describeOutcome(outcome)}`);
      const pings = pingsSince(harness, call.exchange.sentAt, endedAt);
      assertConforms(pings > 0, `the client sent no ping in ${formatDuration(runMs)} during a call`);
    },
  },
];
