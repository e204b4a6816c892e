import { existsSync } from 'node:fs';
import { link, rm, unlink } from 'node:fs/promises';
import { Command } from 'commander';
import { CliError } from '../failure.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addFileOption } from '../traces/access-options.ts';
import { openStore, redactLocation } from '../traces/open-store.ts';
import { requireStoreFile } from '../traces/place.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { partialPath } from '../traces/text-output.ts';

interface BackupFlags {
  readonly db?: string;
  readonly url?: string;
}

const HELP = `
The copy is the state of one moment, and servers may write meanwhile. It grows as <file>.part, and never over a file that
is there. To go back to it, stop the server and serve the copy.

Examples:
  $ ors traces backup /backups/traces.db --db traces.db
  $ ors traces backup "/backups/$(date +%F).db"`;

/** `ors traces backup <file>`. */
export function tracesBackupCommand(): Command {
  return addFileOption(new Command('backup').description('Copy a store into a new file while it is in use.'))
    .argument('<file>', 'file to make')
    .addHelpText('after', HELP)
    .action((target: string, flags: BackupFlags) => reportTraceFailure(false, () => run(target, flags)));
}

async function run(target: string, place: BackupFlags): Promise<void> {
  const file = requireStoreFile('backup', place);
  if (existsSync(target)) throw new CliError(`${target} is there already; name a new file for the copy`);
  await using store = await openStore(file, { mayCreate: false });
  if (!store.backup)
    throw new CliError(`${redactLocation(file)} is no file that could be copied; PostgreSQL has pg_dump for that`);
  const part = partialPath(target);
  // Of a copy that was broken off.
  await rm(part, { force: true });
  using progress = createProgressBar(countUnit('page'));
  await store.backup(part, progress.show);
  // Unlike a rename, this refuses what has come meanwhile.
  await link(part, target);
  await unlink(part);
  openTerminal().print(`copied ${redactLocation(file)} to ${target}\n`);
}
