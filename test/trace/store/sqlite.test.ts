import { describeStore } from './store-contract.ts';
import { openInFile, sqliteMissing } from './stores.ts';

describeStore('a store in a SQLite file', openInFile, { missing: sqliteMissing });
