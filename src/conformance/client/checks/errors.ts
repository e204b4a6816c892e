import { assertConforms } from '../../assertions.ts';
import type { ClientCheck, ClientHarness } from '../harness.ts';
import { type CommandOutcome, ensureError, ensureText } from '../outcome.ts';
import type { ScriptedHandler, ScriptedOperation } from '../server/exchange.ts';
import { findOrCreateCall, resultJson } from '../server/healthy.ts';

/** Ends calls with this event after task_id. */
const endCallsWith = (harness: ClientHarness, event: 'end' | 'error', data: string): void =>
  harness.server.setHandler('call', async (request, reply) => {
    reply.stream();
    await reply.event('task_id', findOrCreateCall(harness.server.state, request).taskId);
    await reply.event(event, data);
    reply.end();
  });

const REFUSAL = JSON.stringify({ ok: false, error: "Tool 'echo' failed: the text is too short" });

const errorEventChecks: readonly ClientCheck[] = [
  {
    id: 'client/error/told-apart',
    title: 'Distinguishes an error event, a failure of the server, from ok false, which the agent can correct',
    requirement: 'ORS-CLNT-019',
    async run(harness) {
      await harness.open();
      endCallsWith(harness, 'end', REFUSAL);
      const refused = ensureError(await harness.callEcho(), 'the call that was answered with ok false');
      endCallsWith(harness, 'error', 'the sandbox has crashed');

      const crashed = ensureError(await harness.callEcho(), 'the call that was answered with an error event');

      assertConforms(
        refused.kind !== crashed.kind,
        `both ok false and an error event are the error ${refused.kind}: '${refused.message}', '${crashed.message}'`,
      );
    },
  },
  {
    id: 'client/error/without-task-id',
    title: 'Treats an error event without a preceding task_id as the end of the call',
    requirement: 'ORS-CLNT-019',
    async run(harness) {
      harness.server.setHandler('call', async (_, reply) => {
        reply.stream();
        await reply.event('error', 'the sandbox has crashed');
        reply.end();
      });
      await harness.open();

      ensureError(await harness.callEcho(), 'the call that was answered with an error event alone');

      const count = harness.server.requestsOf('call').length;
      assertConforms(count === 1, `after an error event without task_id the client sent the call ${count} times`);
    },
  },
];

const okChecks: readonly ClientCheck[] = [
  {
    id: 'client/error/refusal-with-output',
    title: 'Treats a result with ok false as a refusal, even if it has an output',
    requirement: 'ORS-CLNT-020',
    async run(harness) {
      const output = JSON.parse(resultJson('not to be read', { reward: 1 })).output;
      endCallsWith(harness, 'end', JSON.stringify({ output, ok: false, error: 'the text is too short' }));
      await harness.open();

      ensureError(await harness.callEcho(), 'the call with ok false, an error and an output');
    },
  },
  {
    id: 'client/error/output-with-error',
    title: 'Treats a result with ok true as an output, even if it has an error',
    requirement: 'ORS-CLNT-020',
    async run(harness) {
      const { ok, output } = JSON.parse(resultJson('all went well'));
      endCallsWith(harness, 'end', JSON.stringify({ error: 'not to be read', output, ok }));
      await harness.open();

      ensureText(await harness.callEcho(), 'all went well', 'the call with ok true, an output and an error');
    },
  },
];

const rejectWith =
  (status: number, detail: unknown): ScriptedHandler =>
  (_, reply) =>
    reply.json(status, { detail });

const rejectionChecks: readonly ClientCheck[] = [
  {
    id: 'client/refusal/create-once',
    title: 'Does not repeat a /create that was rejected with 400',
    requirement: 'ORS-CLNT-008',
    async run(harness) {
      harness.server.setHandler('create', rejectWith(400, 'the task is not valid'));

      const outcome = await harness.tryToOpen();

      ensureOnce(harness, 'create', outcome);
    },
  },
  {
    id: 'client/refusal/prompt-once',
    title: 'Does not repeat a /prompt that was rejected with 400',
    requirement: 'ORS-CLNT-008',
    async run(harness) {
      harness.server.setHandler('prompt', rejectWith(400, 'the prompt is not available'));
      await harness.open();

      const outcome = await harness.prompt();

      ensureOnce(harness, 'prompt', outcome);
    },
  },
  {
    id: 'client/refusal/call-once',
    title: 'Does not repeat a /call that was rejected with 400',
    requirement: 'ORS-CLNT-008',
    async run(harness) {
      harness.server.setHandler('call', rejectWith(400, 'the input is not valid'));
      await harness.open();

      const outcome = await harness.callEcho();

      ensureOnce(harness, 'call', outcome);
    },
  },
];

function ensureOnce({ server }: ClientHarness, operation: ScriptedOperation, outcome: CommandOutcome<unknown>): void {
  const count = server.requestsOf(operation).length;
  assertConforms(count === 1, `/${operation}, which was rejected with 400, was sent ${count} times`);
  ensureError(outcome, 'the request that was rejected with 400');
}

const REASON = 'unknown task 7041';

const detailCheck = (form: string, status: number, detail: unknown): ClientCheck => ({
  id: `client/refusal/detail-${form}`,
  title: `Reports the detail of an error response that is ${form === 'object' ? 'an' : 'a'} ${form}`,
  requirement: 'ORS-CLNT-008',
  async run(harness) {
    harness.server.setHandler('create', rejectWith(status, detail));

    const { message } = ensureError(await harness.tryToOpen(), `opening, which was rejected with ${status},`);

    assertConforms(
      message.includes(REASON),
      `for the detail ${JSON.stringify(detail)} the client reported ${JSON.stringify(message)}`,
    );
  },
});

const detailChecks: readonly ClientCheck[] = [
  detailCheck('string', 400, REASON),
  detailCheck('list', 422, [{ loc: ['body', 'index'], msg: REASON, type: 'value_error' }]),
  detailCheck('object', 400, { code: 'no_such_task', message: REASON }),
];

/** Makes the server reject all requests of the session. */
function forgetSession({ server }: ClientHarness, status: 404 | 410): void {
  const response = rejectWith(status, status === 404 ? 'Session not found' : 'Session deleted');
  for (const operation of ['prompt', 'task_tools', 'call', 'ping', 'delete'] as const)
    server.setHandler(operation, response);
}

function ensureLost(harness: ClientHarness, outcome: CommandOutcome<unknown>, what: string): void {
  const { kind, message } = ensureError(outcome, what);
  const isOfTool = kind === 'tool_refused' || kind === 'tool_crashed';
  assertConforms(!isOfTool, `${what} is reported as a failure of the tool: the error ${kind} '${message}'`);
  if (kind === 'other') harness.note(`${what} is reported as a generic error: '${message}'`);
}

const lostChecks: readonly ClientCheck[] = ([404, 410] as const).flatMap((status) => [
  {
    id: `client/lost/call-${status}`,
    title: `Reports a call that is rejected with ${status} as a lost session, not as a result`,
    requirement: 'ORS-CLNT-025',
    async run(harness) {
      await harness.open();
      forgetSession(harness, status);

      const outcome = await harness.callEcho();

      ensureLost(harness, outcome, `a call that was answered with ${status}`);
    },
  },
  {
    id: `client/lost/prompt-${status}`,
    title: `Reports a prompt that is rejected with ${status} as a lost session, not as a prompt`,
    requirement: 'ORS-CLNT-025',
    async run(harness) {
      await harness.open();
      forgetSession(harness, status);

      const outcome = await harness.prompt();

      ensureLost(harness, outcome, `a prompt that was answered with ${status}`);
    },
  },
]);

export const clientErrorChecks: readonly ClientCheck[] = [
  ...errorEventChecks,
  ...okChecks,
  ...rejectionChecks,
  ...detailChecks,
  ...lostChecks,
];
