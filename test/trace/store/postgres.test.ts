import { afterAll } from '@jest/globals';
import { openPostgresStore } from '../../../src/trace/store/sql/index.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { describeStore } from './store-contract.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

describeStore(
  'a store in a PostgreSQL database',
  async (options) => openPostgresStore({ ...options, url: (await server?.newUrl()) ?? '' }),
  postgresMissing,
);
