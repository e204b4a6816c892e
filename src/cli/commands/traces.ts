import { Command } from 'commander';

/** Each is loaded when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./traces-serve.ts')).tracesServeCommand(),
  keys: async () => (await import('./traces-keys.ts')).tracesKeysCommand(),
  ls: async () => (await import('./traces-ls.ts')).tracesLsCommand(),
  show: async () => (await import('./traces-show.ts')).tracesShowCommand(),
  tail: async () => (await import('./traces-tail.ts')).tracesTailCommand(),
  stats: async () => (await import('./traces-stats.ts')).tracesStatsCommand(),
  export: async () => (await import('./traces-export.ts')).tracesExportCommand(),
  import: async () => (await import('./traces-import.ts')).tracesImportCommand(),
  delete: async () => (await import('./traces-delete.ts')).tracesDeleteCommand(),
  prune: async () => (await import('./traces-prune.ts')).tracesPruneCommand(),
  verify: async () => (await import('./traces-verify.ts')).tracesVerifyCommand(),
  backup: async () => (await import('./traces-backup.ts')).tracesBackupCommand(),
};

const HELP = `
Traces are in a SQLite file (--db; on Node 20 with npm install libsql) or behind a server (--url).

Examples:
  $ ors traces serve --db traces.db
  $ ors traces ls --url http://127.0.0.1:8090 --run first-run
  $ ors traces show tr_01k2m3n4p5q6r7s8t9v0w1x2y3 | less`;

/** `ors traces`, with the one subcommand of this name, or all of them. */
export async function tracesCommand(name = ''): Promise<Command> {
  const command = new Command('traces')
    .description('Keep, read and move traces: the logs of agent runs.')
    .showHelpAfterError('(ors traces --help says what there is)')
    .addHelpText('after', HELP);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const each of load ? [load] : Object.values(COMMANDS)) command.addCommand(await each());
  return command;
}
