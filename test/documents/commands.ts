import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import type { CommandBuilder } from '../../src/cli/command.ts';

/** `ors` and what is typed behind it, or in front of it as a variable. */
export interface OrsCommand {
  readonly line: string;
  readonly args: readonly string[];
}

/** `ors`, however it is called. */
const ORS = /^(?:npx (?:--yes )?ors(?:-kit)?(?:@\S+)?|npm run -s ors --|ors)(?= |$)/;
/** A word of a shell, plain or quoted, or what stands between commands. */
const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|;&()])+|[|;&()]+/g;

/** The calls of `ors` in lines of a shell: a reading of plain lines, without expansions. */
export function orsCommands(code: string): OrsCommand[] {
  const lines = code.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap((line) => simpleCommands(line.replace(/(^|\s)#.*$/, '')).flatMap(orsCommand));
}

function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [word] of line.matchAll(WORD)) {
    if (/^[|;&()]/.test(word)) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands;
}

function orsCommand(words: readonly string[]): OrsCommand[] {
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  const line = words.slice(Math.max(first, 0)).join(' ');
  const called = ORS.exec(line)?.[0];
  if (called === undefined) return [];
  const typed = words.slice(Math.max(first, 0) + called.split(' ').length);
  const end = typed.findIndex((word) => /^\d?[<>]+(?![a-z]+>)/.test(word));
  const args = (end < 0 ? typed : typed.slice(0, end)).map((word) => word.replaceAll(/^['"]|['"]$|\\(?=.)/g, ''));
  return [{ line, args }];
}

const NAMES = readdirSync('src/cli/commands').map((file) => file.replace('.ts', ''));

/**
 * Has the command line's own parser read a command, and does not run it.
 *
 * @throws Error that says what it does not take.
 */
export async function parseOrs({ args }: OrsCommand): Promise<void> {
  const [name = ''] = args;
  if (!NAMES.includes(name)) throw new Error(`ors has no command '${name}'`);
  const camel = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const module = await import(`../../src/cli/commands/${name}.ts`);
  // The names of the exports follow from those of the files.
  const build = module[`${camel}Command`] as CommandBuilder;
  const command = await build(args.slice(1));
  await harmless(new Command('ors').enablePositionalOptions().addCommand(command)).parseAsync([...args], {
    from: 'user',
  });
}

/** The same commands, which do nothing, and throw where they would end the process. */
function harmless(command: Command): Command {
  for (const each of command.commands) harmless(each);
  // A command with subcommands may also run by itself.
  if (command.commands.length === 0 || command.registeredArguments.length > 0) command.action(() => undefined);
  return command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
}
