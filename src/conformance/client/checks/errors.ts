import { assertConforms } from '../../assertions.ts';
import type { ClientCheck } from '../harness.ts';
import { ensureError, ensureText } from '../outcome.ts';
import { resultJson } from '../server/healthy.ts';

const REASON = 'unknown task 7041';
const REFUSAL = JSON.stringify({ ok: false, error: "Tool 'echo' failed: the text is too short" });

export const clientErrorChecks: readonly ClientCheck[] = [
  {
    id: 'client/error/told-apart',
    title: 'Distinguishes an error event, a failure of the server, from ok false, which the agent can correct',
    requirement: 'ORS-CLNT-019',
    async run(harness) {
      await harness.open();
      harness.endCallsWith('end', REFUSAL);
      const refused = ensureError(await harness.callEcho(), 'the call that ended with ok false');
      harness.endCallsWith('error', 'the sandbox has crashed');

      const crashed = ensureError(await harness.callEcho(), 'the call that ended with an error event');

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
        await reply.endWith('error', 'the sandbox has crashed');
      });
      await harness.open();

      ensureError(await harness.callEcho(), 'the call that ended with only an error event');

      const count = harness.server.requestsOf('call').length;
      assertConforms(count === 1, `after an error event without task_id the client sent the call ${count} times`);
    },
  },
  {
    id: 'client/error/refusal-with-output',
    title: 'Treats a result with ok false as a refusal, even if it has an output',
    requirement: 'ORS-CLNT-020',
    async run(harness) {
      const output = JSON.parse(resultJson('not to be read', { reward: 1 })).output;
      harness.endCallsWith('end', JSON.stringify({ output, ok: false, error: 'the text is too short' }));
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
      harness.endCallsWith('end', JSON.stringify({ error: 'not to be read', output, ok }));
      await harness.open();

      ensureText(await harness.callEcho(), 'all went well', 'the call with ok true, an output and an error');
    },
  },
  refusalCheck('create', 'the task is not valid'),
  refusalCheck('prompt', 'the prompt is not available'),
  refusalCheck('call', 'the input is not valid'),
  detailCheck('string', 400, REASON),
  detailCheck('list', 422, [{ loc: ['body', 'index'], msg: REASON, type: 'value_error' }]),
  detailCheck('object', 400, { code: 'no_such_task', message: REASON }),
  lostCheck('call', 'a result', 404),
  lostCheck('prompt', 'a prompt', 404),
  lostCheck('call', 'a result', 410),
  lostCheck('prompt', 'a prompt', 410),
];

/** Returns a check that the client sends a request only once if it is rejected with 400. */
function refusalCheck(operation: 'create' | 'prompt' | 'call', detail: string): ClientCheck {
  return {
    id: `client/refusal/${operation}-once`,
    title: `Does not repeat a /${operation} that was rejected with 400`,
    requirement: 'ORS-CLNT-008',
    async run(harness) {
      harness.server.setResponse(operation, 400, { detail });
      if (operation !== 'create') await harness.open();

      const outcome = await (operation === 'create' ? harness.tryToOpen() : harness.request(operation));

      const count = harness.server.requestsOf(operation).length;
      assertConforms(count === 1, `/${operation}, which was rejected with 400, was sent ${count} times`);
      ensureError(outcome, 'the request that was rejected with 400');
    },
  };
}

function detailCheck(form: 'string' | 'list' | 'object', status: number, detail: unknown): ClientCheck {
  return {
    id: `client/refusal/detail-${form}`,
    title: `Reports the detail of an error response that is ${form === 'object' ? 'an' : 'a'} ${form}`,
    requirement: 'ORS-CLNT-008',
    async run(harness) {
      harness.server.setResponse('create', status, { detail });

      const { message } = ensureError(await harness.tryToOpen(), `opening, which was rejected with ${status},`);

      const reported = `for the detail ${JSON.stringify(detail)} the client reported ${JSON.stringify(message)}`;
      assertConforms(message.includes(REASON), reported);
    },
  };
}

/** Returns a check that the client notices that the server has forgotten the session. */
function lostCheck(operation: 'call' | 'prompt', success: string, status: 404 | 410): ClientCheck {
  return {
    id: `client/lost/${operation}-${status}`,
    title: `Reports a ${operation} that is rejected with ${status} as a lost session, not as ${success}`,
    requirement: 'ORS-CLNT-025',
    async run(harness) {
      await harness.open();
      for (const each of ['prompt', 'task_tools', 'call', 'ping', 'delete'] as const)
        harness.server.setResponse(each, status, { detail: `Session ${status === 404 ? 'not found' : 'deleted'}` });

      const outcome = await harness.request(operation);

      const what = `a ${operation} that returned ${status}`;
      const { kind, message } = ensureError(outcome, what);
      const isOfTool = kind === 'tool_refused' || kind === 'tool_crashed';
      assertConforms(!isOfTool, `${what} is reported as a failure of the tool: the error ${kind} '${message}'`);
      if (kind === 'other') harness.note(`${what} is reported as a generic error: '${message}'`);
    },
  };
}
