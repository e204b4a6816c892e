import { afterAll } from '@jest/globals';
import { describeUnless } from '../support/optional.ts';
import { postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { testForks } from './fork-contract.ts';
import { testJournal } from './journal-contract.ts';
import { testRaces } from './races-contract.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;
afterAll(async () => server?.[Symbol.asyncDispose]());

describeUnless(postgresMissing)('a journal in a PostgreSQL database', () => {
  if (!server) return;

  const database = {
    newLocation: () => server.newUrl(),
    run: (location: string, sql: string) => server.psql(location, sql),
  };
  testJournal(database);
  testForks(database);
  testRaces(database);
});
