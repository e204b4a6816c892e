import { formatDuration } from '../../../core/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { describeOutcome } from '../adapter/index.ts';
import type { ClientCheck } from '../check.ts';
import { findOrCreateCall, resultJson } from '../server/index.ts';
import type { ClientHarness } from '../stage.ts';

/** So many intervals of the usual length. */
const INTERVALS = 3.5;

/** Those that came well after the beginning: some clients send one when they open. */
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

      // A process that stood still comes to its timers first, and then to what waits in its sockets.
      const hasPinged = () => pingsSince(stage, since, server.now()) > 0;
      assertConforms(
        await server.waitFor(hasPinged, times.heartbeatMs),
        `the client sent no ping in ${formatDuration(INTERVALS * times.heartbeatMs)} in which it was idle`,
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
      assume(
        call && endedAt - call.exchange.sentAt >= runMs * 0.9,
        `a call that runs for long ${describeOutcome(outcome)}`,
      );
      const pings = pingsSince(stage, call.exchange.sentAt, endedAt);
      assertConforms(pings > 0, `the client sent no ping in ${formatDuration(runMs)} in which a call ran`);
    },
  },
];
