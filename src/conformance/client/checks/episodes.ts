import { equalJson, formatDuration } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable, NotApplicableError } from '../../assertions.ts';
import {
  type ClientCheck,
  type ClientHarness,
  type ClientTaskSelector,
  TASK_BY_INDEX,
  TASK_INLINE,
} from '../harness.ts';
import { assumeValue, describeOutcome, ensureText, ensureValue } from '../outcome.ts';
import type { ReceivedRequest, ScriptedHandler, ScriptedReply } from '../server/exchange.ts';
import { ENVIRONMENT, findOrCreateCall, PROMPT_TEXT, resultJson, TASK_TOOL } from '../server/healthy.ts';

/** Returns undefined for commands that the client does not support. */
const ifSupported = <T>(command: Promise<T>): Promise<T | undefined> =>
  command.catch((error: unknown) => {
    if (error instanceof NotApplicableError) return undefined;
    throw error;
  });

/** Plays an episode, and asserts the outcome of every step. */
async function ensurePlays(stage: ClientHarness, where: string): Promise<void> {
  ensureValue(await stage.tryToOpen(), `opening an episode ${where}`);
  const prompt = await ifSupported(stage.prompt());
  const blocks = prompt && ensureValue(prompt, `the prompt ${where}`);
  assertConforms(!blocks || blocks[0]?.text === PROMPT_TEXT, `the prompt ${where} is ${JSON.stringify(blocks)}`);
  ensureText(await stage.callEcho(), 'hello', `the call ${where}`);
  ensureValue(await stage.close(), `closing the episode ${where}`);
}

const SESSION_OPERATIONS = ['create', 'prompt', 'task_tools', 'call', 'ping', 'delete', 'delete_session'] as const;

/** Time for a request that the client sends after the command has completed. */
const FOLLOW_UP_MS = 2_000;

async function ensureDeleted({ server }: ClientHarness, when: string): Promise<void> {
  const sid = server.requestsOf('create')[0]?.sid;
  const isDeleted = () => server.requestsOf('delete').some((request) => request.sid === sid);
  assertConforms(
    await server.waitFor(isDeleted, FOLLOW_UP_MS),
    `${when}, there was no /delete of the session ${JSON.stringify(sid)}`,
  );
}

/** Opens an episode, and returns the body of its /create. */
async function created(stage: ClientHarness, source: ClientTaskSelector): Promise<ReceivedRequest['json']> {
  const outcome = await stage.tryToOpen(source);
  const [request] = stage.server.requestsOf('create');
  assume(request, `there was no /create: opening an episode ${describeOutcome(outcome)}`);
  return request.json;
}

const whole: readonly ClientCheck[] = [
  {
    id: 'client/episode/plain',
    title: 'Plays an episode on a server that has only the operations of the standard',
    requirement: 'ORS-CLNT-024',
    async run(stage) {
      stage.server.setHandler('other', (_, reply) => reply.json(404, { detail: 'Not Found' }));
      await ensurePlays(stage, 'on a server with only the operations of the standard');
    },
  },
  {
    id: 'client/episode/base-path',
    title: 'Plays an episode on a server whose base URL has a path',
    requirement: 'ORS-CLNT-023',
    async run(stage) {
      stage.server.prefix = '/some/where';
      await ensurePlays(stage, 'below /some/where');
      const outside = stage.server.requests.filter(({ exchange }) => !exchange.url.includes('/some/where/'));
      assertConforms(outside.length === 0, `${outside[0]?.exchange.url} is not below the base URL ${stage.server.url}`);
    },
  },
  {
    id: 'client/episode/session-id',
    title: 'Sends its session id with every request of an episode',
    requirement: 'ORS-CLNT-016',
    async run(stage) {
      await stage.open();
      await ifSupported(stage.prompt());
      await ifSupported(stage.tools());
      await stage.callEcho();
      await stage.idle(stage.times.heartbeatMs * 1.2);
      await stage.close();

      const { requests, state } = stage.server;
      const [create] = stage.server.requestsOf('create');
      assume(create, 'there was no /create');
      assertConforms(
        state.sids.includes(create.sid ?? ''),
        `/create came with the session id ${JSON.stringify(create.sid)}`,
      );
      const ofSession = requests.filter(({ operation }) =>
        (SESSION_OPERATIONS as readonly string[]).includes(operation),
      );
      const other = ofSession.find(({ sid }) => sid !== create.sid);
      assertConforms(
        !other,
        `${other?.path} came with the session id ${JSON.stringify(other?.sid)} instead of '${create.sid}'`,
      );
    },
    slow: true,
  },
  {
    id: 'client/episode/task-tools',
    title: 'Requests the tools of its episode, not only those that all tasks share',
    requirement: 'ORS-CLNT-014',
    async run(stage) {
      await stage.open();

      const tools = ensureValue(await stage.tools(), 'the list of tools');

      assertConforms(stage.server.requestsOf('task_tools').length > 0, 'there was no /task_tools');
      const names = tools.map(({ name }) => name);
      assertConforms(
        names.includes(TASK_TOOL.name),
        `the tools of the episode are ${names.join(', ')}, without ${TASK_TOOL.name}`,
      );
    },
  },
  {
    id: 'client/episode/accept',
    title: 'Sends Accept: text/event-stream with a call',
    requirement: 'ORS-CLNT-017',
    async run(stage) {
      await stage.open();

      await stage.callEcho();

      const [call] = stage.server.requestsOf('call');
      assume(call, 'there was no /call');
      const accept = call.header('accept');
      assertConforms(
        accept?.includes('text/event-stream'),
        `/call came with ${accept ? `Accept: ${accept}` : 'no Accept'}`,
      );
    },
  },
];

/** Returns the fields of task sources in a /create; null counts as absent. */
const sourcesOf = ({ split, index, task_spec }: ReceivedRequest['json']): readonly string[] => [
  ...((task_spec ?? null) === null ? [] : ['task_spec']),
  ...((split ?? null) === null ? [] : ['split']),
  ...((index ?? null) === null ? [] : ['index']),
];

const SOURCES = [['task_spec'], ['split', 'index']];

/** Either source is allowed: a client may resolve an index to a task, or a task to its index. */
const createsBy = (name: string, what: string, source: ClientTaskSelector): ClientCheck => ({
  id: `client/create/by-${name}`,
  title: `Sends exactly one task source to play a task by ${what}`,
  requirement: 'ORS-CLNT-011',
  async run(stage) {
    const sent = sourcesOf(await created(stage, source));
    const isOne = SOURCES.some((fields) => equalJson(fields, sent));
    assertConforms(isOne, `/create came with ${sent.join(', ') || 'none'} of task_spec, split and index`);
  },
});

const sources: readonly ClientCheck[] = [
  {
    id: 'client/create/environment',
    title: 'Names the environment when it creates by split and index',
    requirement: 'ORS-CLNT-009',
    async run(stage) {
      const { env_name, split } = await created(stage, TASK_BY_INDEX);
      assumeApplicable(typeof split === 'string', 'the client creates by task_spec alone');
      const isNamed = typeof env_name === 'string' && env_name.toLowerCase() === ENVIRONMENT;
      const advice = `of '${ENVIRONMENT}'; the server would open its first environment`;
      assertConforms(isNamed, `/create came with the env_name ${JSON.stringify(env_name ?? null)} instead ${advice}`);
    },
  },
  createsBy('index', 'split and index', TASK_BY_INDEX),
  createsBy('task', 'its task_spec', TASK_INLINE),
];

const deletes: readonly ClientCheck[] = [
  {
    id: 'client/delete/when-done',
    title: 'Deletes its episode when it is done',
    requirement: 'ORS-CLNT-012',
    async run(stage) {
      await stage.open();
      assumeValue(await stage.call('finish'), 'the call of finish');

      await stage.close();

      await ensureDeleted(stage, 'after the episode was closed');
    },
  },
  {
    id: 'client/delete/after-failure',
    title: 'Deletes its episode after a call that failed',
    requirement: 'ORS-CLNT-012',
    async run(stage) {
      stage.server.setHandler('call', async (_, reply) => {
        reply.stream();
        await reply.event('error', 'the sandbox has crashed');
        reply.end();
      });
      await stage.open();
      await stage.callEcho();

      await stage.close();

      await ensureDeleted(stage, 'after a call had failed and the episode was closed');
    },
  },
  {
    // The documents call /delete_session optional.
    id: 'client/delete/no-delete-session',
    title: 'Closes an episode although the server has no /delete_session',
    requirement: 'ORS-CLNT-012',
    async run(stage) {
      stage.server.setHandler('delete_session', (_, reply) => reply.json(404, { detail: 'Not Found' }));
      await stage.open();

      const outcome = await stage.close();

      assumeApplicable(stage.server.requestsOf('delete_session').length > 0, 'the client sends no /delete_session');
      ensureValue(outcome, 'closing, when /delete_session was answered with 404,');
    },
  },
];

export const clientEpisodeChecks: readonly ClientCheck[] = [...whole, ...sources, ...deletes];

const SID = '6f1d2c52-6f0e-4b93-9a51-2c1d7b3c0a77';

const json: ScriptedHandler = (_, reply) => reply.json(200, { sid: SID });

const stream =
  (write: (reply: ScriptedReply) => Promise<void>): ScriptedHandler =>
  async (_, reply) => {
    reply.stream();
    await write(reply);
    reply.end();
  };

/** Returns a check that the client uses the session id that the server issues in this form. */
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
      `after ${asked} responses of /create_session there was no /create: opening ${describeOutcome(outcome)}`,
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
    async run(stage) {
      const { times, server } = stage;
      await stage.open();
      const since = server.now();

      await stage.idle(INTERVALS * times.heartbeatMs);

      // A blocked process runs its timers before it reads its sockets.
      const hasPinged = () => pingsSince(stage, since, server.now()) > 0;
      assertConforms(
        await server.waitFor(hasPinged, times.heartbeatMs),
        `the client sent no ping in ${formatDuration(INTERVALS * times.heartbeatMs)} of idleness`,
      );
    },
  },
  {
    id: 'client/ping/during-call',
    title: 'Pings while a call runs',
    requirement: 'ORS-CLNT-015',
    slow: true,
    async run(stage) {
      const { times, server } = stage;
      const runMs = INTERVALS * times.heartbeatMs;
      server.setHandler('call', async (request, reply) => {
        reply.stream();
        await reply.event('task_id', findOrCreateCall(server.state, request).taskId);
        for (let waited = 0; waited < runMs && !reply.isClosed; waited += times.heartbeatMs / 2) {
          await server.pause(times.heartbeatMs / 2);
          await reply.write(': ping\n\n');
        }
        await reply.event('end', resultJson('done'));
        reply.end();
      });
      await stage.open();

      const outcome = await stage.callEcho(runMs);

      const [call] = server.requestsOf('call');
      const endedAt = call?.exchange.endedAt ?? server.now();
      assume(call && endedAt - call.exchange.sentAt >= runMs * 0.9, `a long call ${describeOutcome(outcome)}`);
      const pings = pingsSince(stage, call.exchange.sentAt, endedAt);
      assertConforms(pings > 0, `the client sent no ping in ${formatDuration(runMs)} during a call`);
    },
  },
];
