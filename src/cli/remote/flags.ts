import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { TaskSelector } from '../../client/index.ts';
import { createRedactor, definedFields, tooShortWarning } from '../../core/index.ts';
import { fileProblem } from '../../core/node/index.ts';
import { defineFlags, type FlagValues, integerParser, parseNumberFlag, parseSeconds } from '../command.ts';
import { CliError } from '../failure.ts';
import { readJsonObject } from './tool-input.ts';

/** Flags of commands that connect to a server. */
export const connectionFlags = defineFlags({
  '--api-key <key>': { help: 'sent as X-API-Key', env: 'ORS_API_KEY' },
  '--header <name: value>': { help: 'sent with every request (repeatable)', parse: parseHeader },
  '--ca <file>': { help: 'PEM file of trusted certificate authorities', parse: readCertificates },
  '--timeout <seconds>': {
    help: 'longest wait for one response (default: as long as the server works)',
    parse: parseSeconds,
  },
});

/** Flags that select a task. */
export const taskFlags = defineFlags({
  '--split <name>': 'split of the task',
  '--index <number>': { help: 'index of the task in its split, from 0', parse: integerParser() },
  '--task <json>': {
    help: 'the task itself, as JSON or @file, for a task that is in no split',
    conflicts: ['split', 'index'],
  },
  '--secret <name[=value]>': {
    help: 'secret for the episode; without a value, read from the environment variable (repeatable)',
    parse: parseSecret,
  },
  '--toolset <name>': 'toolset of the environment, whose tools are added to those of the episode',
});

/** Secrets of commands that play many episodes. */
const secretFlags = defineFlags({
  '--secret <name[=value]>': {
    help: 'secret for every episode; without a value, read from the environment variable (repeatable)',
    parse: parseSecret,
  },
});

/** Flags of commands that try an environment. */
export const trialFlags = defineFlags({
  '--max-reward <number>': {
    help: 'maximum sum of rewards of an episode, if the environment does not declare it',
    parse: parseNumberFlag,
  },
  ...secretFlags,
});

export type ConnectionFlags = FlagValues<typeof connectionFlags>;
export type TaskFlags = FlagValues<typeof taskFlags>;

// These parsers throw CliError: commander would repeat the argument of an InvalidArgumentError, which may be a secret.

/** Parses `Name: value`. @throws CliError */
export function parseHeader(argument: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = argument.indexOf(':');
  if (at < 0) throw new CliError("invalid --header: it has no colon; write it as 'Name: value'");
  const name = argument.slice(0, at).trim();
  const value = argument.slice(at + 1).trim();
  try {
    new Headers([[name, value]]);
  } catch {
    throw new CliError("invalid --header: it has characters that are not allowed; write it as 'Name: value'");
  }
  return { ...previous, [name]: value };
}

/**
 * Parses `NAME=VALUE`, or `NAME` for the value of that environment variable. Warns if the value is too short to be masked.
 *
 * @throws CliError that does not repeat the argument, which may be a value without its name.
 */
export function parseSecret(argument: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = argument.indexOf('=');
  const name = at < 0 ? argument : argument.slice(0, at);
  if (name === '') throw new CliError('--secret needs a name; write NAME=VALUE');
  const value = at < 0 ? process.env[name] : argument.slice(at + 1);
  if (value === undefined) {
    throw new CliError(
      'invalid --secret: expected NAME=VALUE, or the name of an environment variable; no variable has the given name',
    );
  }
  warnIfTooShort({ [name]: value });
  return { ...previous, [name]: value };
}

/** Warns on standard error of secrets that are too short to be masked in what the command prints. */
export function warnIfTooShort(secrets: Readonly<Record<string, string>>): void {
  for (const name of createRedactor(secrets).tooShort) process.stderr.write(`ors: ${tooShortWarning(name)}\n`);
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`Cannot read the file: ${fileProblem(error)}.`);
  }
}

/** Returns the options of a session that the flags set. */
export const sessionOptions = ({ secret, toolset }: TaskFlags) => definedFields({ secrets: secret, toolset });

/** Returns the task that the flags select, or undefined if they select none. @throws CliError if one flag is missing. */
export async function parseTaskFlags({ task, split, index }: TaskFlags): Promise<TaskSelector | undefined> {
  if (task !== undefined) return { task: await readJsonObject(task, '--task') };
  if (split === undefined && index === undefined) return undefined;
  if (split === undefined) throw new CliError(`--index ${index} needs a split; add --split <name>`);
  if (index === undefined) throw new CliError(`--split ${split} needs an index; add --index <number>`);
  return { split, index };
}
