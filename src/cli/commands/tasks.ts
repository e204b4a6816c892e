import { defineCommand } from '../command.ts';

export const tasksCommand = defineCommand({
  name: 'tasks',
  subcommands: {
    snapshot: {
      summary: 'Write a manifest of the tasks of an environment, with a hash per task.',
      load: async () => (await import('./tasks-snapshot.ts')).tasksSnapshotCommand,
    },
    diff: {
      summary: 'Report which tasks were added, removed, changed or moved.',
      load: async () => (await import('./tasks-diff.ts')).tasksDiffCommand,
    },
  },
  details: `A manifest is a file of JSON Lines: a header, then a line per task with its split, index, SHA-256 and public task. The
same tasks produce the same bytes, except for the time. docs/tasks.md describes the format.`,
  examples: [
    'ors tasks snapshot http://127.0.0.1:8080 --env gsm8k --out tasks.jsonl',
    'ors tasks diff tasks.jsonl http://127.0.0.1:8080',
  ],
});
