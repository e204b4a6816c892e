import { formatDuration } from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import type { CallScript, ClientCheck, ClientHarness } from '../harness.ts';
import { describeOutcome, ensureError, ensureText, ensureValue } from '../outcome.ts';
import { eventText } from '../server/exchange.ts';
import { resultJson, taskIdOf } from '../server/healthy.ts';

const TEXT = 'the promised result';
const JSON_TEXT = resultJson(TEXT);

/** Handles the first call request with one script, and the following ones with another. */
function answerInTurn(harness: ClientHarness, first: CallScript, later: CallScript = sendResult): void {
  harness.onCall(async (reply, taskId) => {
    const isFirst = harness.server.requestsOf('call').length === 1;
    await (isFirst ? first : later)(reply, taskId);
  });
}

const sendResult: CallScript = (reply) => reply.endWith('end', JSON_TEXT);

/** Asserts that all requests after the first one named the same call. */
function ensureNotRestarted({ server }: ClientHarness, what: string): void {
  const [, ...later] = server.requestsOf('call');
  const [taskId] = server.state.taskIds;
  const others = later
    .filter(({ json }) => json.task_id !== taskId)
    .map(({ json }) => JSON.stringify(json.task_id ?? null));
  const sent = `the client sent the call with the task_id ${others.join(', ')}`;
  assertConforms(others.length === 0, `${what}, ${sent} instead of '${taskId}'`);
}

interface BrokenStream {
  readonly name: string;
  readonly title: string;
  /** Event in messages. */
  readonly what: string;
  readonly first: CallScript;
}

const HALF = Math.floor(JSON_TEXT.length / 2);

const brokenStreams: readonly BrokenStream[] = [
  {
    name: 'after-cut',
    title: 'Resumes a call by its task_id after the connection broke',
    what: 'after the connection had broken after task_id',
    first: (reply) => reply.breakConnection(),
  },
  {
    name: 'after-early-end',
    title: 'Resumes a call by its task_id after the stream ended too early',
    what: 'after the stream had ended after task_id',
    first: (reply) => reply.end(),
  },
  {
    name: 'within-chunks',
    title: 'Discards received chunks when it resumes a call',
    what: 'after the connection had broken after the first chunk',
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

const resumeCheck = ({ name, title, what, first }: BrokenStream): ClientCheck => ({
  id: `client/resume/${name}`,
  title,
  requirement: 'ORS-CLNT-004',
  async run(harness) {
    answerInTurn(harness, first);
    await harness.open();

    const outcome = await harness.callEcho();

    ensureNotRestarted(harness, what);
    ensureText(outcome, TEXT, `the call, ${what},`);
  },
});

const unknownTask: ClientCheck = {
  id: 'client/resume/unknown-task',
  title: 'Reports a call as failed, and does not restart it, when the server has forgotten its task_id',
  requirement: 'ORS-CLNT-004',
  async run(harness) {
    answerInTurn(
      harness,
      (reply) => reply.breakConnection(),
      (reply) => reply.endWith('error', 'unknown task_id'),
    );
    await harness.open();

    const outcome = await harness.callEcho();

    ensureNotRestarted(harness, 'after the error `unknown task_id`');
    ensureError(outcome, 'the call whose task_id the server had forgotten');
  },
};

/** The client knows nothing about the call, so it may repeat it or report it as failed. */
const nothingHeard: ClientCheck = {
  id: 'client/resume/nothing-heard',
  title: 'Repeats a call or reports it as failed, and invents no result, if the connection broke before any byte',
  requirement: 'ORS-CLNT-004',
  async run(harness) {
    harness.server.setHandler('call', async (request, reply) => {
      if (harness.server.requestsOf('call').length === 1) return await reply.breakConnection();
      reply.stream();
      await reply.event('task_id', taskIdOf(harness.server.state, request));
      await reply.endWith('end', JSON_TEXT);
    });
    await harness.open();

    const outcome = await harness.callEcho();

    if (outcome.kind === 'error') harness.note('a call without any response is reported as failed, not repeated');
    else ensureText(outcome, TEXT, 'the call, after the connection broke before any byte,');
  },
};

/** Number of requests in the time of the check that means an endless loop. */
const LOOP = 20;

const endless: ClientCheck = {
  id: 'client/resume/endless',
  title: 'Gives up on a call after a limited number of streams that end early',
  requirement: 'ORS-CLNT-003',
  slow: true,
  async run(harness) {
    harness.onCall((reply) => reply.end());
    await harness.open();

    const outcome = await harness.callEcho(harness.times.giveUpMs - harness.times.commandMs);

    const count = harness.server.requestsOf('call').length;
    const summary = `the client requested ${count} streams, which all ended after task_id, and the call ${describeOutcome(outcome)}`;
    const hasGivenUp = outcome.kind !== 'silence' || count >= LOOP;
    assume(hasGivenUp, `${summary}; does it retry for longer than ORS_PATIENCE_MS?`);
    assertConforms(outcome.kind === 'error', summary);
  },
};

const silence: ClientCheck = {
  id: 'client/resume/silence',
  title: 'Resumes a call by its task_id after 30 seconds of silence',
  requirement: 'ORS-CLNT-010',
  slow: true,
  async run(harness) {
    const { silenceMs } = harness.times;
    answerInTurn(harness, () => undefined);
    await harness.open();

    const outcome = await harness.callEcho(silenceMs / 2 + silenceMs);

    const isRequestedAgain = harness.server.requestsOf('call').length > 1;
    assertConforms(isRequestedAgain, `a silent stream was not requested again; the call ${describeOutcome(outcome)}`);
    ensureNotRestarted(harness, 'after a long silence');
    ensureText(outcome, TEXT, 'the call, after a long silence,');
  },
};

const HEARTBEATS = 4;

const heartbeats: ClientCheck = {
  id: 'client/resume/heartbeats',
  title: 'Waits longer than 30 seconds for a call whose stream sends only comments',
  requirement: 'ORS-CLNT-010',
  slow: true,
  async run(harness) {
    const { heartbeatMs } = harness.times;
    const slowly: CallScript = async (reply, taskId) => {
      for (let count = 0; count < HEARTBEATS && !reply.isClosed; count++) {
        await harness.server.pause(heartbeatMs);
        await reply.write(': ping\n\n');
      }
      await sendResult(reply, taskId);
    };
    answerInTurn(harness, slowly);
    await harness.open();

    const outcome = await harness.callEcho((HEARTBEATS + 1) * heartbeatMs);

    const count = harness.server.requestsOf('call').length;
    if (count > 1) harness.note(`a stream with a comment every ${heartbeatMs / 1_000} s was requested ${count} times`);
    ensureText(outcome, TEXT, `the call, whose stream sent a comment every ${heartbeatMs / 1_000} s,`);
  },
};

export const clientResumeChecks: readonly ClientCheck[] = [
  ...brokenStreams.map(resumeCheck),
  unknownTask,
  nothingHeard,
  endless,
  silence,
  heartbeats,
];

/** Tolerance between the clocks of client and server. */
const TOLERANCE_MS = 100;

/** Returns a check that the client repeats a request that was rejected once, after the time in Retry-After. */
const retryCheck = (operation: 'call' | 'create', what: string, status: 429 | 503): ClientCheck => ({
  id: `client/retry/${operation}-${status}`,
  title: `Repeats a ${what} that was rejected with ${status} after the time in Retry-After`,
  requirement: 'ORS-CLNT-027',
  async run(harness) {
    const { server, times } = harness;
    const seconds = times.retryAfterMs / 1_000;
    const healthy = server.handlerOf(operation);
    if (operation === 'call') await harness.open();
    server.setHandler(operation, (_, reply) => {
      server.setHandler(operation, healthy);
      reply.json(status, { detail: 'try again later' }, { 'Retry-After': String(Math.ceil(seconds)) });
    });

    const outcome = await (operation === 'call' ? harness.callEcho(times.retryAfterMs) : harness.tryToOpen());

    const [first, second] = server.requestsOf(operation);
    const rejected = `/${operation}, which was rejected with ${status} and Retry-After: ${seconds}`;
    ensureValue(outcome, `${rejected},`);
    const waited = (second?.exchange.sentAt ?? 0) - (first?.exchange.endedAt ?? 0);
    const isRight = waited >= times.retryAfterMs - TOLERANCE_MS;
    assertConforms(isRight, `${rejected}, was repeated after ${formatDuration(waited)}`);
  },
});

export const retryChecks: readonly ClientCheck[] = [
  retryCheck('call', 'call', 503),
  retryCheck('create', '/create', 429),
  {
    id: 'client/retry/redirect',
    title: 'Follows 308 on the same server with method, body and headers',
    requirement: 'ORS-CLNT-028',
    async run(harness) {
      harness.server.redirectTo = '/moved';

      const opened = await harness.tryToOpen();

      const [moved, ...others] = harness.server.requestsOf('create').toReversed();
      ensureValue(opened, 'opening an episode, when every request was redirected with 308,');
      assertConforms(moved && others.length > 0, `/create was not sent to the location of the 308`);
      const original = others[0];
      assertConforms(moved.method === 'POST', `POST /create became ${moved.method} when 308 was followed`);
      assertConforms(moved.body === original?.body, `the body of /create became '${moved.body}' when 308 was followed`);
      for (const name of ['X-Session-ID', 'Content-Type']) {
        const value = moved.header(name.toLowerCase());
        const isSame = value === original?.header(name.toLowerCase());
        assertConforms(isSame, `${name} became ${JSON.stringify(value)} when 308 was followed`);
      }
    },
  },
];
