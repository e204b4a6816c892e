import { existsSync } from 'node:fs';
import { link, rm, unlink } from 'node:fs/promises';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { partialPath } from '../terminal/text-output.ts';
import { openStore, redactLocation, requireStoreFile } from '../traces/open-store.ts';
import { reportTraceFailure, storeFileFlags } from '../traces/open-traces.ts';

export const tracesBackupCommand = defineCommand({
  name: 'backup',
  arguments: [['<file>', 'file to create']],
  flags: storeFileFlags,
  details: `The copy is a consistent snapshot; servers may write meanwhile. It is written to <file>.part first, and never overwrites
a file. To restore it, stop the server and serve the copy.`,
  examples: ['ors traces backup /backups/traces.db --db traces.db', 'ors traces backup "/backups/$(date +%F).db"'],
  report: reportTraceFailure,
  async run(target, flags) {
    const file = requireStoreFile('backup', flags);
    if (existsSync(target)) throw new CliError(`${target} exists; name a new file for the copy`);
    await using store = await openStore(file, { mayCreate: false });
    if (!store.backup) {
      throw new CliError(`cannot copy ${redactLocation(file)}: it is not a file; use pg_dump for PostgreSQL`);
    }
    const part = partialPath(target);
    // Left over from an interrupted backup.
    await rm(part, { force: true });
    using progress = createProgressBar(countUnit('page'));
    await store.backup(part, progress.show);
    // Unlike a rename, link() fails if the file was created meanwhile.
    await link(part, target);
    await unlink(part);
    openTerminal().print(`copied ${redactLocation(file)} to ${target}\n`);
  },
});
