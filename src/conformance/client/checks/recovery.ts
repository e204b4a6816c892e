import { formatDuration } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import type { ClientCheck, ClientHarness } from '../harness.ts';
import { type CommandOutcome, describeOutcome, ensureError, ensureText, ensureValue } from '../outcome.ts';
import {
  eventText,
  type ReceivedRequest,
  type ScriptedHandler,
  type ScriptedOperation,
  type ScriptedReply,
} from '../server/exchange.ts';
import { findOrCreateCall, resultJson } from '../server/healthy.ts';

const TEXT = 'the result that was promised';
const JSON_TEXT = resultJson(TEXT);

type ReplyScript = (reply: ScriptedReply, taskId: string) => void | Promise<void>;

/** The first request gets one answer, those that follow another, which is whole unless said otherwise. */
function answerInTurn(stage: ClientHarness, first: ReplyScript, later: ReplyScript = whole): void {
  stage.server.setHandler('call', async (request, reply) => {
    const isFirst = stage.server.requestsOf('call').length === 1;
    const { taskId } = findOrCreateCall(stage.server.state, request);
    reply.stream();
    await reply.event('task_id', taskId);
    await (isFirst ? first : later)(reply, taskId);
  });
}

const whole: ReplyScript = async (reply) => {
  await reply.event('end', JSON_TEXT);
  reply.end();
};

/** The point in question: whatever was sent after the first request asked for the same call. */
function ensureNotAnew({ server }: ClientHarness, what: string): void {
  const [, ...later] = server.requestsOf('call');
  const [taskId] = server.state.calls.keys();
  const anew = later.filter(({ json }) => json.task_id !== taskId);
  assertConforms(
    anew.length === 0,
    `${what}, the client sent the call again ${describeIds(anew)} instead of '${taskId}'`,
  );
}

const describeIds = (requests: readonly ReceivedRequest[]) =>
  `with the task_id ${requests.map(({ json }) => JSON.stringify(json.task_id ?? null)).join(', ')}`;

interface BrokenStream {
  readonly name: string;
  readonly title: string;
  /** What happened to the stream, for messages. */
  readonly what: string;
  readonly first: ReplyScript;
}

const HALF = Math.floor(JSON_TEXT.length / 2);

const breaks: readonly BrokenStream[] = [
  {
    name: 'after-cut',
    title: 'Resumes a call by its task_id after the connection broke',
    what: 'after the connection had broken behind task_id',
    first: (reply) => reply.breakConnection(),
  },
  {
    name: 'after-early-end',
    title: 'Resumes a call by its task_id after the stream ended too early',
    what: 'after the stream had ended behind task_id',
    first: (reply) => reply.end(),
  },
  {
    name: 'within-chunks',
    title: 'Discards received chunks when it resumes a call',
    what: 'after the connection had broken behind the first chunk',
    first: async (reply) => {
      await reply.event('chunk', JSON_TEXT.slice(0, HALF));
      await reply.breakConnection();
    },
  },
  {
    name: 'within-event',
    title: 'Ignores an incomplete event at the end of the stream, and resumes the call by its task_id',
    what: 'after the stream had ended within the event `end`',
    first: async (reply) => {
      await reply.write(eventText('end', JSON_TEXT.slice(0, HALF)).trimEnd());
      reply.end();
    },
  },
];

const resumes = ({ name, title, what, first }: BrokenStream): ClientCheck => ({
  id: `client/resume/${name}`,
  title,
  requirement: 'ORS-CLNT-004',
  async run(stage) {
    answerInTurn(stage, first);
    await stage.open();

    const outcome = await stage.callEcho();

    ensureNotAnew(stage, what);
    ensureText(outcome, TEXT, `the call, ${what},`);
  },
});

const unknownTask: ClientCheck = {
  id: 'client/resume/unknown-task',
  title: 'Reports a call as failed, and does not restart it, when the server has forgotten its task_id',
  requirement: 'ORS-CLNT-004',
  async run(stage) {
    answerInTurn(
      stage,
      (reply) => reply.breakConnection(),
      async (reply) => {
        await reply.event('error', 'unknown task_id');
        reply.end();
      },
    );
    await stage.open();

    const outcome = await stage.callEcho();

    ensureNotAnew(stage, 'after the error `unknown task_id`');
    ensureError(outcome, 'the call whose task_id the server had forgotten');
  },
};

/** Nothing is known of the call, so that both to send it again and to give it up are right. */
const nothingHeard: ClientCheck = {
  id: 'client/resume/nothing-heard',
  title: 'Repeats a call or reports it as failed, and invents no result, if the connection broke before any byte',
  requirement: 'ORS-CLNT-004',
  async run(stage) {
    stage.server.setHandler('call', async (request, reply) => {
      if (stage.server.requestsOf('call').length === 1) return await reply.breakConnection();
      reply.stream();
      await reply.event('task_id', findOrCreateCall(stage.server.state, request).taskId);
      await whole(reply, '');
    });
    await stage.open();

    const outcome = await stage.callEcho();

    if (outcome.kind === 'error') stage.note('a call of which nothing was heard is given up, not sent again');
    else ensureText(outcome, TEXT, 'the call, after a connection that broke before any byte,');
  },
};

/** So many requests in the time of the check are no patience but a loop. */
const LOOP = 20;

const endless: ClientCheck = {
  id: 'client/resume/endless',
  title: 'Gives up on a call after a limited number of streams that end early',
  requirement: 'ORS-CLNT-003',
  slow: true,
  async run(stage) {
    answerInTurn(
      stage,
      (reply) => reply.end(),
      (reply) => reply.end(),
    );
    await stage.open();

    const outcome = await stage.callEcho(stage.times.giveUpMs - stage.times.commandMs);

    const asked = stage.server.requestsOf('call').length;
    const seen = `of streams that all end behind task_id the client asked for ${asked}, and the call ${describeOutcome(outcome)}`;
    const isTold = outcome.kind === 'error';
    assume(
      isTold || outcome.kind !== 'silence' || asked >= LOOP,
      `${seen}; is its patience longer than ORS_PATIENCE_MS?`,
    );
    assertConforms(isTold, seen);
  },
};

const silence: ClientCheck = {
  id: 'client/resume/silence',
  title: 'Resumes a call by its task_id after 30 seconds of silence',
  requirement: 'ORS-CLNT-010',
  slow: true,
  async run(stage) {
    const { silenceMs } = stage.times;
    answerInTurn(stage, () => undefined);
    await stage.open();

    const outcome = await stage.callEcho(silenceMs / 2 + silenceMs);

    ensureAsked(stage, outcome);
    ensureNotAnew(stage, 'after a long silence');
    ensureText(outcome, TEXT, 'the call, after a long silence,');
  },
};

function ensureAsked({ server }: ClientHarness, outcome: CommandOutcome<unknown>): void {
  assertConforms(
    server.requestsOf('call').length > 1,
    `a stream that fell silent was not asked for anew; the call ${describeOutcome(outcome)}`,
  );
}

const HEARTBEATS = 4;

const heartbeats: ClientCheck = {
  id: 'client/resume/heartbeats',
  title: 'Waits longer than 30 seconds for a call whose stream sends only comments',
  requirement: 'ORS-CLNT-010',
  slow: true,
  async run(stage) {
    const { heartbeatMs } = stage.times;
    const slowly: ReplyScript = async (reply, taskId) => {
      for (let count = 0; count < HEARTBEATS && !reply.isClosed; count++) {
        await stage.server.pause(heartbeatMs);
        await reply.write(': ping\n\n');
      }
      await whole(reply, taskId);
    };
    answerInTurn(stage, slowly);
    await stage.open();

    const outcome = await stage.callEcho((HEARTBEATS + 1) * heartbeatMs);

    const asked = stage.server.requestsOf('call').length;
    if (asked > 1) stage.note(`a stream with a comment every ${heartbeatMs / 1_000} s was asked for ${asked} times`);
    ensureText(outcome, TEXT, `the call, whose stream sent a comment every ${heartbeatMs / 1_000} s,`);
  },
};

export const clientResumeChecks: readonly ClientCheck[] = [
  ...breaks.map(resumes),
  unknownTask,
  nothingHeard,
  endless,
  silence,
  heartbeats,
];

/** Clocks of two sides never agree to the millisecond. */
const TOLERANCE_MS = 100;

/** Refuses the first request of an operation, and then does as a healthy server. */
function busyAtFirst({ server, times }: ClientHarness, operation: ScriptedOperation, status: 429 | 503): void {
  const healthy = server.handlerOf(operation);
  const busy: ScriptedHandler = (_, reply) => {
    server.setHandler(operation, healthy);
    reply.json(status, { detail: 'come back later' }, { 'Retry-After': String(Math.ceil(times.retryAfterMs / 1_000)) });
  };
  server.setHandler(operation, busy);
}

function ensureWaited(
  { server, times }: ClientHarness,
  operation: ScriptedOperation,
  status: number,
  outcome: CommandOutcome<unknown>,
): void {
  const [first, second] = server.requestsOf(operation);
  const asked = `/${operation}, which was answered with ${status} and Retry-After: ${times.retryAfterMs / 1_000}`;
  ensureValue(outcome, `${asked},`);
  const waited = (second?.exchange.sentAt ?? 0) - (first?.exchange.endedAt ?? 0);
  assertConforms(waited >= times.retryAfterMs - TOLERANCE_MS, `${asked}, came again after ${formatDuration(waited)}`);
}

export const retryChecks: readonly ClientCheck[] = [
  {
    id: 'client/retry/call-503',
    title: 'Repeats a call that was rejected with 503 after the time in Retry-After',
    requirement: 'ORS-CLNT-027',
    async run(stage) {
      await stage.open();
      busyAtFirst(stage, 'call', 503);

      const outcome = await stage.callEcho(stage.times.retryAfterMs);

      ensureWaited(stage, 'call', 503, outcome);
    },
  },
  {
    id: 'client/retry/create-429',
    title: 'Repeats a /create that was rejected with 429 after the time in Retry-After',
    requirement: 'ORS-CLNT-027',
    async run(stage) {
      busyAtFirst(stage, 'create', 429);

      const outcome = await stage.tryToOpen();

      ensureWaited(stage, 'create', 429, outcome);
    },
  },
  {
    id: 'client/retry/redirect',
    title: 'Follows 308 on the same server with method, body and headers',
    requirement: 'ORS-CLNT-028',
    async run(stage) {
      stage.server.redirectTo = '/moved';

      const opened = await stage.tryToOpen();

      const [moved, ...others] = stage.server.requestsOf('create').toReversed();
      ensureValue(opened, 'opening an episode, when every request was answered with 308,');
      assertConforms(moved && others.length > 0, `/create was not sent to the place that 308 named`);
      const original = others[0];
      assertConforms(moved.method === 'POST', `POST /create became ${moved.method} when 308 was followed`);
      assertConforms(moved.body === original?.body, `the body of /create became '${moved.body}' when 308 was followed`);
      assertConforms(
        moved.sid === original.sid,
        `X-Session-ID became ${JSON.stringify(moved.sid)} when 308 was followed`,
      );
      assertConforms(
        moved.header('content-type') === original.header('content-type'),
        `Content-Type became ${JSON.stringify(moved.header('content-type'))} when 308 was followed`,
      );
    },
  },
];
