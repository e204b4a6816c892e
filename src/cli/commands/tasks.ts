import { Command } from 'commander';
import { tasksDiffCommand } from './tasks-diff.ts';
import { tasksSnapshotCommand } from './tasks-snapshot.ts';

const HELP = `
A manifest is a file of JSON Lines: a line about all tasks, then a line for each with its split, index, SHA-256 and the task
as players see it. The same tasks give the same bytes, but for the time. docs/tasks.md has the format.

Examples:
  $ ors tasks snapshot http://127.0.0.1:8080 --env gsm8k --out tasks.jsonl
  $ ors tasks diff tasks.jsonl http://127.0.0.1:8080`;

/** `ors tasks`. */
export function tasksCommand(): Command {
  return new Command('tasks')
    .description('Write down which tasks an environment has, and tell what changed.')
    .addHelpText('after', HELP)
    .addCommand(tasksSnapshotCommand())
    .addCommand(tasksDiffCommand());
}
