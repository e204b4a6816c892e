import { formatDuration } from '../../../core/index.ts';
import { assertConforms } from '../../verdict.ts';
import { type CommandOutcome, ensureValue } from '../adapter/index.ts';
import type { ClientCheck } from '../check.ts';
import type { ScriptedHandler, ScriptedOperation } from '../server/index.ts';
import type { ClientHarness } from '../stage.ts';

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
    title: 'Comes back with a call that was answered with 503 after the time that Retry-After says',
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
    title: 'Comes back with a /create that was answered with 429 after the time that Retry-After says',
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
