import { type Command, Option } from 'commander';
import type { Logger } from 'pino';
import { isLoopbackHost } from '../../core/index.ts';
import { assertServerNotExposed, type ServerOptions } from '../../server/index.ts';
import { loadKeys, VARIABLE, warnIfReadableByOthers } from './key-file.ts';

/** Who may ask a server, and by which names. */
export interface ServerAccessFlags {
  readonly host: string;
  readonly apiKeys?: string;
  readonly openPath?: readonly string[];
  readonly allowedHost?: readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly insecure?: true;
}

export function addServerAccessOptions(command: Command): Command {
  const options = [
    new Option('--api-keys <file>', `keys that are needed to play, one on each line, as name:key (or ${VARIABLE})`),
    new Option(
      '--open-path <path...>',
      'what needs no key, with all below it, such as /metrics or /docs; / is the page at / alone; /health, /ready and /ui/ never do',
    ),
    new Option(
      '--cors-origin <origin...>',
      "origins whose pages may play here, such as https://example.org; '*' for all",
    ),
    new Option('--allowed-host <name...>', 'names that a server without keys on this machine alone answers to'),
    new Option('--insecure', 'let other machines in without keys: whoever reaches the address can run the tools'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Access:'));
  return command;
}

/**
 * Says what whoever starts a server should know of who may ask it.
 *
 * @throws TypeError for an address that other machines reach, without keys; Error for a key file that cannot be read.
 */
export function assertAccessOptions({ host, apiKeys, insecure }: ServerAccessFlags): void {
  const hasKeys = apiKeys !== undefined || process.env[VARIABLE] !== undefined;
  assertServerNotExposed({ host, hasKeys, insecure: insecure ?? false });
  if (apiKeys !== undefined) warnIfReadableByOthers(apiKeys);
  if (hasKeys || isLoopbackHost(host)) return;
  process.stderr.write(`ors: --insecure: whoever reaches ${host} can play here, and run what the tools run\n`);
}

/** What the flags say to the process that serves; it takes the keys out of its surroundings. @throws Error for keys that are none. */
export function toAccessOptions(flags: ServerAccessFlags, log: Logger): ServerOptions & { readonly insecure: boolean } {
  const { host, openPath, corsOrigin, allowedHost, insecure } = flags;
  const authenticate = loadKeys(flags.apiKeys, log);
  const isGuarded = allowedHost !== undefined || (isLoopbackHost(host) && !authenticate);
  return {
    insecure: insecure ?? false,
    ...(authenticate && { authenticate }),
    ...(openPath && { openPaths: openPath }),
    ...(corsOrigin && { corsOrigins: corsOrigin }),
    ...(isGuarded && { allowedHosts: allowedHost ?? [] }),
  };
}
