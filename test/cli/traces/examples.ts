/** Subcommands of `ors traces` whose examples do not need a separate server. */
export const COMMANDS = [
  'ls',
  'search',
  'show',
  'tail',
  'stats',
  'export',
  'import',
  'tag',
  'delete',
  'prune',
  'verify',
  'backup',
] as const;

/** Returns the commands in the examples of a `--help` text. */
export const examplesOf = (help: string): string[] =>
  [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);
