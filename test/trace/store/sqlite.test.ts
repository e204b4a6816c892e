import { openSqliteStore } from '../../../src/trace/store/index.ts';
import { describeStore } from './store-contract.ts';
import { openInFile, sqliteMissing } from './stores.ts';

describeStore('a store in a SQLite file', openInFile, { missing: sqliteMissing });
describeStore(
  'a store in a SQLite database in memory',
  (options) => openSqliteStore({ ...options, path: ':memory:' }),
  { missing: sqliteMissing, isRead: false },
);
