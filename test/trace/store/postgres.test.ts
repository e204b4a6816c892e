import { afterAll } from '@jest/globals';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { describeStore } from './store-contract.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

describeStore(
  'a store in a PostgreSQL database',
  async (options) => {
    if (!server) throw new Error(postgresMissing);
    return await server.openStore(options);
  },
  { missing: postgresMissing },
);
