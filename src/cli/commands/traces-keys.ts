import { Command } from 'commander';
import { oneLine } from '../../core/index.ts';
import type { ApiKeyRecord } from '../../trace/store/index.ts';
import { CliError } from '../failure.ts';
import { createTable, type TableColumn } from '../terminal/columns.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addFileOption, organizationOption } from '../traces/access-options.ts';
import { openStore } from '../traces/open-store.ts';
import { assertOrganization } from '../traces/open-traces.ts';
import { requireStoreFile } from '../traces/place.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { formatTime } from '../traces/trace-rows.ts';

interface KeysFlags {
  readonly db?: string;
  readonly url?: string;
  readonly json?: true;
}

interface AddFlags extends KeysFlags {
  readonly org: string;
  readonly name: string;
  readonly readOnly?: true;
}

const HELP = `
A key belongs to one organization, whose traces are all that it can see. Servers that were started with --keys know a new
key, and know a revoked one no more, at once.

Examples:
  $ ors traces keys add --org research --name training
  $ ors traces keys add --org research --name dashboard --read-only
  $ ors traces keys revoke key_1f0c2d3e-4b5a-4678-9abc-def012345678`;

/** `ors traces keys`. */
export function tracesKeysCommand(): Command {
  const add = addFileOption(new Command('add').description('Make a key; it is printed this once and stored nowhere.'))
    .addOption(organizationOption())
    .requiredOption('--name <name>', 'what it is for')
    .option('--read-only', 'it may read and not write')
    .option('--json', 'print JSON')
    .action((flags: AddFlags) => reportTraceFailure(flags.json === true, () => addKey(flags)));
  const list = addFileOption(
    new Command('list').description('List the keys of all organizations, without the secrets.'),
  )
    .option('--json', 'print one JSON document a line')
    .action((flags: KeysFlags) => reportTraceFailure(flags.json === true, () => listKeys(flags)));
  const revoke = addFileOption(new Command('revoke').description('End the use of a key.'))
    .argument('<id>', 'id of the key, as list shows it')
    .action((id: string, flags: KeysFlags) => reportTraceFailure(false, () => revokeKey(id, flags)));
  return new Command('keys')
    .description('Add, list and revoke the API keys of a store.')
    .addCommand(add)
    .addCommand(list)
    .addCommand(revoke)
    .addHelpText('after', HELP);
}

/** A function of its own: where there is an `await using`, tsc leaves `.ts` at the end of what is imported. */
const loadApi = () => import('../../trace/api/index.ts');

async function addKey({ org, name, readOnly, json, ...place }: AddFlags): Promise<void> {
  assertOrganization(org);
  const { issueKey } = await loadApi();
  await using store = await openStore(requireStoreFile('keys', place), { mayCreate: true });
  const { key, secret } = await issueKey(store, { org, name, scopes: readOnly ? ['read'] : ['read', 'write'] });
  const terminal = openTerminal();
  if (json) return terminal.print(`${safeJson({ ...key, secret })}\n`);
  const may = readOnly ? 'read' : 'read and write';
  terminal.print(`${secret}\n`);
  process.stderr.write(`${key.id} may ${may} the traces of ${org}; the key is shown this once: keep it now\n`);
}

const COLUMNS: readonly TableColumn<ApiKeyRecord>[] = [
  { title: 'KEY', text: ({ id }) => id },
  { title: 'SCOPES', text: ({ scopes }) => scopes.join(' ') },
  { title: 'CREATED (UTC)', text: ({ created_at }) => formatTime(created_at) },
  { title: 'REVOKED (UTC)', text: ({ revoked_at }) => (revoked_at === null ? '-' : formatTime(revoked_at)) },
  { title: 'ORGANIZATION', text: ({ org }) => oneLine(org) },
  { title: 'NAME', text: ({ name }) => oneLine(name) },
];

async function listKeys({ json, ...place }: KeysFlags): Promise<void> {
  await using store = await openStore(requireStoreFile('keys', place), { mayCreate: false });
  const keys = await store.keys();
  const terminal = openTerminal();
  if (json) terminal.print(keys.map((key) => `${safeJson(key)}\n`).join(''));
  else if (keys.length === 0) terminal.print('no keys\n');
  else createTable(COLUMNS, terminal)(keys);
}

async function revokeKey(id: string, place: KeysFlags): Promise<void> {
  await using store = await openStore(requireStoreFile('keys', place), { mayCreate: false });
  if (!(await store.revokeKey(id))) {
    throw new CliError(`there is no key ${oneLine(id)} that could be revoked; ors traces keys list shows them`);
  }
  openTerminal().print(`${id} is revoked\n`);
}
