import { defineCommand } from '../command.ts';

export const tracesCommand = defineCommand({
  name: 'traces',
  subcommands: {
    serve: {
      summary: 'Serve a trace store over HTTP.',
      load: async () => (await import('./traces-serve.ts')).tracesServeCommand,
    },
    keys: {
      summary: 'Add, list and revoke the API keys of a store.',
      load: async () => (await import('./traces-keys.ts')).tracesKeysCommand,
    },
    ls: {
      summary: 'List traces with their rewards.',
      load: async () => (await import('./traces-ls.ts')).tracesLsCommand,
    },
    search: {
      summary: 'Search the blocks of traces, or traces, with a query.',
      load: async () => (await import('./traces-search.ts')).tracesSearchCommand,
    },
    show: {
      summary: 'Show a trace as a tree.',
      load: async () => (await import('./traces-show.ts')).tracesShowCommand,
    },
    tail: {
      summary: 'Watch a trace while it is written.',
      load: async () => (await import('./traces-tail.ts')).tracesTailCommand,
    },
    stats: {
      summary: 'Show the rewards of a run: mean, spread, histogram, by step.',
      load: async () => (await import('./traces-stats.ts')).tracesStatsCommand,
    },
    export: {
      summary: 'Export traces in a format of this or other tools.',
      load: async () => (await import('./traces-export.ts')).tracesExportCommand,
    },
    score: {
      summary: 'Score a trace, a block or a run.',
      load: async () => (await import('./traces-score.ts')).tracesScoreCommand,
    },
    scores: {
      summary: 'List or delete scores of traces, blocks and runs.',
      load: async () => (await import('./traces-scores.ts')).tracesScoresCommand,
    },
    tag: {
      summary: 'Add and remove tags of many traces.',
      load: async () => (await import('./traces-tag.ts')).tracesTagCommand,
    },
    import: {
      summary: 'Import traces that this or another tool has exported.',
      load: async () => (await import('./traces-import.ts')).tracesImportCommand,
    },
    delete: {
      summary: 'Delete traces with their blocks.',
      load: async () => (await import('./traces-delete.ts')).tracesDeleteCommand,
    },
    prune: {
      summary: 'Delete traces that have not changed for some time.',
      load: async () => (await import('./traces-prune.ts')).tracesPruneCommand,
    },
    verify: {
      summary: 'Read a whole store and report inconsistencies.',
      load: async () => (await import('./traces-verify.ts')).tracesVerifyCommand,
    },
    backup: {
      summary: 'Copy a store that is in use to a new file.',
      load: async () => (await import('./traces-backup.ts')).tracesBackupCommand,
    },
  },
  details: 'Traces are in a SQLite file (--db; on Node 20 after npm install libsql) or behind a server (--url).',
  examples: [
    'ors traces serve --db traces.db',
    'ors traces ls --url http://127.0.0.1:8090 --run first-run',
    'ors traces show tr_01k2m3n4p5q6r7s8t9v0w1x2y3',
  ],
});
