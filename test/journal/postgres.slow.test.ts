import { afterAll } from '@jest/globals';
import { describeUnless } from '../support/optional.ts';
import { postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { testJournal } from './journal-contract.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;
afterAll(async () => server?.[Symbol.asyncDispose]());

describeUnless(postgresMissing)('a journal in a PostgreSQL database', () => {
  if (!server) return;

  testJournal({
    newLocation: () => server.newUrl(),
    run: (location, sql) => server.psql(location, sql),
  });
});
