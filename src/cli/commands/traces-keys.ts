import { oneLine } from '../../core/index.ts';
import type { ApiKeyRecord } from '../../trace/store/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { createTable, formatTime, openTerminal, safeJson, type TableColumn } from '../terminal/terminal.ts';
import { openStore, requireStoreFile } from '../traces/open-store.ts';
import { assertOrganization, organizationFlag, reportTraceFailure, storeFileFlags } from '../traces/open-traces.ts';

/** A separate function: in a function with `await using`, tsc does not rewrite the extension of the import. */
const loadApi = () => import('../../trace/api/index.ts');

const COLUMNS: readonly TableColumn<ApiKeyRecord>[] = [
  { title: 'KEY', text: ({ id }) => id },
  { title: 'SCOPES', text: ({ scopes }) => scopes.join(' ') },
  { title: 'CREATED (UTC)', text: ({ created_at }) => formatTime(created_at) },
  { title: 'REVOKED (UTC)', text: ({ revoked_at }) => (revoked_at === null ? '-' : formatTime(revoked_at)) },
  { title: 'ORGANIZATION', text: ({ org }) => oneLine(org) },
  { title: 'NAME', text: ({ name }) => oneLine(name) },
];

const addCommand = defineCommand({
  name: 'add',
  flags: {
    ...storeFileFlags,
    ...organizationFlag,
    '--name <name>': { help: 'name of the key', required: true },
    '--read-only': 'the key may read, not write',
    '--json': 'print JSON',
  },
  report: reportTraceFailure,
  async run({ org, name, readOnly, json, ...place }) {
    assertOrganization(org);
    const { issueKey } = await loadApi();
    await using store = await openStore(requireStoreFile('keys', place), { mayCreate: true });
    const { key, secret } = await issueKey(store, { org, name, scopes: readOnly ? ['read'] : ['read', 'write'] });
    const terminal = openTerminal();
    if (json) return terminal.print(`${safeJson({ ...key, secret })}\n`);
    const may = readOnly ? 'read' : 'read and write';
    terminal.print(`${secret}\n`);
    process.stderr.write(`${key.id} may ${may} the traces of ${org}; the key is not shown again: store it now\n`);
  },
});

const listCommand = defineCommand({
  name: 'list',
  flags: { ...storeFileFlags, '--json': 'print one JSON document per line' },
  report: reportTraceFailure,
  async run({ json, ...place }) {
    await using store = await openStore(requireStoreFile('keys', place), { mayCreate: false });
    const keys = await store.keys();
    const terminal = openTerminal();
    if (json) terminal.print(keys.map((key) => `${safeJson(key)}\n`).join(''));
    else if (keys.length === 0) terminal.print('no keys\n');
    else createTable(COLUMNS, terminal)(keys);
  },
});

const revokeCommand = defineCommand({
  name: 'revoke',
  arguments: [['<id>', 'id of the key, as shown by list']],
  flags: storeFileFlags,
  report: reportTraceFailure,
  async run(id, place) {
    await using store = await openStore(requireStoreFile('keys', place), { mayCreate: false });
    if (!(await store.revokeKey(id))) {
      throw new CliError(`cannot revoke ${oneLine(id)}: there is no such active key; ors traces keys list shows them`);
    }
    openTerminal().print(`${id} is revoked\n`);
  },
});

export const tracesKeysCommand = defineCommand({
  name: 'keys',
  subcommands: {
    add: { summary: 'Create a key; it is printed once and not stored.', load: () => addCommand },
    list: { summary: 'List the keys of all organizations, without the secrets.', load: () => listCommand },
    revoke: { summary: 'Revoke a key.', load: () => revokeCommand },
  },
  details: `A key belongs to one organization and gives access to its traces only. Servers started with --keys accept a new key and
reject a revoked one immediately.`,
  examples: [
    'ors traces keys add --org research --name training',
    'ors traces keys add --org research --name dashboard --read-only',
    'ors traces keys revoke key_1f0c2d3e-4b5a-4678-9abc-def012345678',
  ],
});
