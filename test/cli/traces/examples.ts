/** Subcommands of `ors traces` whose examples need no server of their own. */
export const COMMANDS = [
  'ls',
  'show',
  'tail',
  'stats',
  'export',
  'import',
  'delete',
  'prune',
  'verify',
  'backup',
] as const;

/** The lines of a `--help` that can be typed. */
export const examplesOf = (help: string): string[] =>
  [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);
