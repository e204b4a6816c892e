import { assertConforms } from '../../assertions.ts';
import type { ClientCheck, ClientHarness } from '../harness.ts';
import { type CommandOutcome, ensureError, ensureText } from '../outcome.ts';
import type { ScriptedHandler, ScriptedOperation } from '../server/exchange.ts';
import { findOrCreateCall, resultJson } from '../server/healthy.ts';

/** Ends calls with this event after task_id. */
const answerWith = (stage: ClientHarness, event: 'end' | 'error', data: string): void =>
  stage.server.setHandler('call', async (request, reply) => {
    reply.stream();
    await reply.event('task_id', findOrCreateCall(stage.server.state, request).taskId);
    await reply.event(event, data);
    reply.end();
  });

const REFUSAL = JSON.stringify({ ok: false, error: "Tool 'echo' failed: the text is too short" });

const errorEvents: readonly ClientCheck[] = [
  {
    id: 'client/error/told-apart',
    title: 'Distinguishes an error event, a failure of the server, from ok false, which the agent can correct',
    requirement: 'ORS-CLNT-019',
    async run(stage) {
      await stage.open();
      answerWith(stage, 'end', REFUSAL);
      const refused = ensureError(await stage.callEcho(), 'the call that was answered with ok false');
      answerWith(stage, 'error', 'the sandbox has crashed');

      const crashed = ensureError(await stage.callEcho(), 'the call that was answered with an error event');

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
    async run(stage) {
      stage.server.setHandler('call', async (_, reply) => {
        reply.stream();
        await reply.event('error', 'the sandbox has crashed');
        reply.end();
      });
      await stage.open();

      ensureError(await stage.callEcho(), 'the call that was answered with an error event alone');

      const asked = stage.server.requestsOf('call').length;
      assertConforms(asked === 1, `after an error event without task_id the client sent the call ${asked} times`);
    },
  },
];

const okDecides: readonly ClientCheck[] = [
  {
    id: 'client/error/refusal-with-output',
    title: 'Treats a result with ok false as a refusal, even if it has an output',
    requirement: 'ORS-CLNT-020',
    async run(stage) {
      const output = JSON.parse(resultJson('not to be read', { reward: 1 })).output;
      answerWith(stage, 'end', JSON.stringify({ output, ok: false, error: 'the text is too short' }));
      await stage.open();

      ensureError(await stage.callEcho(), 'the call with ok false, an error and an output');
    },
  },
  {
    id: 'client/error/output-with-error',
    title: 'Treats a result with ok true as an output, even if it has an error',
    requirement: 'ORS-CLNT-020',
    async run(stage) {
      const { ok, output } = JSON.parse(resultJson('all went well'));
      answerWith(stage, 'end', JSON.stringify({ error: 'not to be read', output, ok }));
      await stage.open();

      ensureText(await stage.callEcho(), 'all went well', 'the call with ok true, an output and an error');
    },
  },
];

const refuses =
  (status: number, detail: unknown): ScriptedHandler =>
  (_, reply) =>
    reply.json(status, { detail });

const notRepeated: readonly ClientCheck[] = [
  {
    id: 'client/refusal/create-once',
    title: 'Does not repeat a /create that was rejected with 400',
    requirement: 'ORS-CLNT-008',
    async run(stage) {
      stage.server.setHandler('create', refuses(400, 'the task is not valid'));

      const outcome = await stage.tryToOpen();

      ensureOnce(stage, 'create', outcome);
    },
  },
  {
    id: 'client/refusal/prompt-once',
    title: 'Does not repeat a /prompt that was rejected with 400',
    requirement: 'ORS-CLNT-008',
    async run(stage) {
      stage.server.setHandler('prompt', refuses(400, 'the prompt is not available'));
      await stage.open();

      const outcome = await stage.prompt();

      ensureOnce(stage, 'prompt', outcome);
    },
  },
  {
    id: 'client/refusal/call-once',
    title: 'Does not repeat a /call that was rejected with 400',
    requirement: 'ORS-CLNT-008',
    async run(stage) {
      stage.server.setHandler('call', refuses(400, 'the input is not valid'));
      await stage.open();

      const outcome = await stage.callEcho();

      ensureOnce(stage, 'call', outcome);
    },
  },
];

function ensureOnce({ server }: ClientHarness, operation: ScriptedOperation, outcome: CommandOutcome<unknown>): void {
  const asked = server.requestsOf(operation).length;
  assertConforms(asked === 1, `/${operation}, which was rejected with 400, was sent ${asked} times`);
  ensureError(outcome, 'the request that was rejected with 400');
}

const REASON = 'unknown task 7041';

const showsDetail = (form: string, status: number, detail: unknown): ClientCheck => ({
  id: `client/refusal/detail-${form}`,
  title: `Reports the detail of an error response that is ${form === 'object' ? 'an' : 'a'} ${form}`,
  requirement: 'ORS-CLNT-008',
  async run(stage) {
    stage.server.setHandler('create', refuses(status, detail));

    const { message } = ensureError(await stage.tryToOpen(), `opening, which was rejected with ${status},`);

    assertConforms(
      message.includes(REASON),
      `for the detail ${JSON.stringify(detail)} the client reported ${JSON.stringify(message)}`,
    );
  },
});

const details: readonly ClientCheck[] = [
  showsDetail('string', 400, REASON),
  showsDetail('list', 422, [{ loc: ['body', 'index'], msg: REASON, type: 'value_error' }]),
  showsDetail('object', 400, { code: 'no_such_task', message: REASON }),
];

/** Makes the server reject all requests of the session. */
function forget({ server }: ClientHarness, status: 404 | 410): void {
  const response = refuses(status, status === 404 ? 'Session not found' : 'Session deleted');
  for (const operation of ['prompt', 'task_tools', 'call', 'ping', 'delete'] as const)
    server.setHandler(operation, response);
}

function ensureLost(stage: ClientHarness, outcome: CommandOutcome<unknown>, what: string): void {
  const { kind, message } = ensureError(outcome, what);
  const isOfTool = kind === 'tool_refused' || kind === 'tool_crashed';
  assertConforms(!isOfTool, `${what} is reported as a failure of the tool: the error ${kind} '${message}'`);
  if (kind === 'other') stage.note(`${what} is reported as a generic error: '${message}'`);
}

const lost: readonly ClientCheck[] = ([404, 410] as const).flatMap((status) => [
  {
    id: `client/lost/call-${status}`,
    title: `Reports a call that is rejected with ${status} as a lost session, not as a result`,
    requirement: 'ORS-CLNT-025',
    async run(stage) {
      await stage.open();
      forget(stage, status);

      const outcome = await stage.callEcho();

      ensureLost(stage, outcome, `a call that was answered with ${status}`);
    },
  },
  {
    id: `client/lost/prompt-${status}`,
    title: `Reports a prompt that is rejected with ${status} as a lost session, not as a prompt`,
    requirement: 'ORS-CLNT-025',
    async run(stage) {
      await stage.open();
      forget(stage, status);

      const outcome = await stage.prompt();

      ensureLost(stage, outcome, `a prompt that was answered with ${status}`);
    },
  },
]);

export const clientErrorChecks: readonly ClientCheck[] = [
  ...errorEvents,
  ...okDecides,
  ...notRepeated,
  ...details,
  ...lost,
];
