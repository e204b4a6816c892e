import { rules } from './0001/rules.ts';
import { tables } from './0001/tables.ts';
import { views } from './0001/views.ts';
import { search } from './0002/search.ts';
import { tree } from './0003/tree.ts';
import { blockRules } from './0004/block-rules.ts';
import { organizationScopes } from './0005/tenants.ts';

/** The first makes version 1 of an empty schema, each other the next version. None of them is ever changed. */
export const migrations: readonly string[] = [
  `${tables}${rules}${views}`,
  search,
  tree,
  blockRules,
  organizationScopes,
];
