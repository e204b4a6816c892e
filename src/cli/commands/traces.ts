import { defineCommand } from '../command.ts';

export const tracesCommand = defineCommand({
  name: 'traces',
  summary: 'Store, read and move traces: the logs of agent runs.',
  subcommands: {
    serve: async () => (await import('./traces-serve.ts')).tracesServeCommand,
    keys: async () => (await import('./traces-keys.ts')).tracesKeysCommand,
    ls: async () => (await import('./traces-ls.ts')).tracesLsCommand,
    search: async () => (await import('./traces-search.ts')).tracesSearchCommand,
    show: async () => (await import('./traces-show.ts')).tracesShowCommand,
    tail: async () => (await import('./traces-tail.ts')).tracesTailCommand,
    stats: async () => (await import('./traces-stats.ts')).tracesStatsCommand,
    export: async () => (await import('./traces-export.ts')).tracesExportCommand,
    score: async () => (await import('./traces-score.ts')).tracesScoreCommand,
    scores: async () => (await import('./traces-scores.ts')).tracesScoresCommand,
    tag: async () => (await import('./traces-tag.ts')).tracesTagCommand,
    import: async () => (await import('./traces-import.ts')).tracesImportCommand,
    delete: async () => (await import('./traces-delete.ts')).tracesDeleteCommand,
    prune: async () => (await import('./traces-prune.ts')).tracesPruneCommand,
    verify: async () => (await import('./traces-verify.ts')).tracesVerifyCommand,
    backup: async () => (await import('./traces-backup.ts')).tracesBackupCommand,
  },
  details: 'Traces are in a SQLite file (--db; on Node 20 after npm install libsql) or behind a server (--url).',
  examples: [
    'ors traces serve --db traces.db',
    'ors traces ls --url http://127.0.0.1:8090 --run first-run',
    'ors traces show tr_01k2m3n4p5q6r7s8t9v0w1x2y3',
  ],
});
