import { postgresMissing, startPostgres } from '../../test/trace/store/postgres-server.ts';
import { submit } from '../load/protocol.ts';
import { type Contestant, ours, type ServerJournal } from '../process/contestants.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { recordRound, runCalls, smallCalls } from './calls.ts';
import { type Measure, runGenerations, WARM_UP_SECONDS } from './measure.ts';

/** Names of the servers: without a journal, then each database with each mode. */
export const journalNames = ['none', 'sqlite async', 'sqlite sync', 'postgres async', 'postgres sync'] as const;

/** Our server with and without a journal; calls of a durable environment, one session per connection. */
export const journal: Measure = {
  name: 'journal',
  about: 'calls/s, p50, p99 and CPU per call of our server without and with a journal: 1 and 32 connections',
  isExtra: true,
  async run(context) {
    using folder = createTemporaryFolder();
    await using postgres = postgresMissing === undefined ? await startPostgres() : undefined;
    const serve = (name: string, options?: ServerJournal): Contestant => ({
      name,
      ...ours({ durability: 'replay', ...(options && { journal: options }) }),
    });
    const contestants = [serve('none')];
    for (const mode of ['async', 'sync'] as const) {
      contestants.push(serve(`sqlite ${mode}`, { location: folder.path(`${mode}.db`), mode }));
    }
    if (postgres) {
      for (const mode of ['async', 'sync'] as const) {
        contestants.push(serve(`postgres ${mode}`, { location: await postgres.newUrl(), mode }));
      }
    } else context.note(`Without PostgreSQL: ${postgresMissing}.`);
    const { count, seconds } = context.quick ? { count: 2, seconds: 1 } : { count: 6, seconds: 1 };
    for (const connections of [1, 32]) {
      const measure = smallCalls(connections).replace('calls', 'journal');
      const plan = { count, rounds: 2, timeoutSeconds: 60 };
      await runGenerations({ ...context, contestants }, measure, plan, async (server, round) => {
        const load = { call: submit, connections, seconds: round === 0 ? WARM_UP_SECONDS : seconds };
        const figures = await runCalls(context, measure, server, load);
        if (round > 0) recordRound(context, measure, server, figures);
      });
    }
  },
};
