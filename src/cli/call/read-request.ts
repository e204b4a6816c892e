import { CliError } from '../failure.ts';
import type { ConnectionFlags } from '../remote/connection-options.ts';
import { readJsonObject } from '../remote/json-argument.ts';
import { parseTaskFlags, type TaskFlags } from '../remote/task-options.ts';
import { parsePairs } from './parse-input.ts';
import type { SessionCallRequest } from './session-call.ts';

export interface CallFlags extends ConnectionFlags, TaskFlags {
  readonly tasks?: string;
  readonly start?: number;
  readonly stop?: number;
  readonly sid?: string;
  readonly input?: string;
  readonly keep?: true;
  readonly close?: true;
  readonly images?: string;
  readonly json?: true;
}

/**
 * What is to be done in a session; undefined where nothing is.
 *
 * @throws Failure for options that do not go together, and for what cannot be read.
 */
export async function parseCallFlags(
  name: string | undefined,
  tool: string | undefined,
  args: readonly string[],
  flags: CallFlags,
): Promise<SessionCallRequest | undefined> {
  refuseContradictions(name, tool, args, flags);
  const { sid, secret, keep = false, close = false } = flags;
  const task = await parseTaskFlags(flags);
  const input = flags.input === undefined ? parsePairs(args) : await readJsonObject(flags.input, '--input');
  if (sid !== undefined) return { session: { kind: 'live', sid }, leaveOpen: !close, tool, input };
  if (task) return { session: { kind: 'new', task, secrets: secret ?? {} }, leaveOpen: keep, tool, input };
  if (tool === undefined) return undefined;
  throw new CliError(`tool '${tool}' is called in an episode; add --split <name> --index <number>, --task or --sid`);
}

function refuseContradictions(
  name: string | undefined,
  tool: string | undefined,
  args: readonly string[],
  flags: CallFlags,
): void {
  const { tasks, start, stop, sid, split, index, task, secret, keep, close, input } = flags;
  const opens = split !== undefined || index !== undefined || task !== undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [name === undefined && (opens || sid !== undefined), 'an episode needs an environment; name it after the address'],
    [name === undefined && tasks !== undefined, '--tasks needs an environment; name it after the address'],
    [tool !== undefined && tasks !== undefined, `--tasks lists tasks and calls no tool; leave '${tool}' out`],
    [tasks === undefined && (start ?? stop) !== undefined, '--start and --stop go with --tasks; add --tasks <split>'],
    [start !== undefined && stop !== undefined && stop <= start, `--stop ${stop} must be above --start ${start}`],
    [input !== undefined && tool === undefined, '--input needs a tool; name it after the environment'],
    [input !== undefined && args.length > 0, `give the parameters by --input or as '${args[0]}', not both`],
    [keep === true && !opens, '--keep leaves a new session open; add --split <name> --index <number>, or --task'],
    [sid !== undefined && secret !== undefined, '--secret is for a new session; that of --sid has its own'],
    [close === true && sid === undefined, '--close closes the session of --sid; add --sid <id>'],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  if (broken) throw new CliError(broken[1]);
}
