import { type Command, Option } from 'commander';
import { parseNumber, parseSize } from '../../core/index.ts';
import type { ServerSettings } from '../../server/index.ts';
import { integerOption, orInvalid } from '../option-parsers.ts';

type Parse = (text: string) => number;

/** A flag for a setting of the server. */
interface LimitOption {
  readonly flags: string;
  readonly description: string;
  readonly parse: Parse;
  readonly setting: keyof ServerSettings;
}

const OPTIONS: readonly LimitOption[] = [
  {
    flags: '--max-sessions <number>',
    description: 'the most sessions at a time; further ones wait 20 s for a place, then get 503',
    parse: integerOption({ min: 1 }),
    setting: 'maxSessions',
  },
  {
    flags: '--max-sessions-per-key <number>',
    description: 'the most sessions at a time of one API key; further ones wait 20 s, then get 429',
    parse: integerOption({ min: 1 }),
    setting: 'maxSessionsPerKey',
  },
  {
    flags: '--max-calls <number>',
    description: 'the most tools that run at a time; further calls wait',
    parse: integerOption({ min: 1 }),
    setting: 'maxCalls',
  },
  {
    flags: '--max-setups <number>',
    description: 'the most setups that run at a time; further ones wait',
    parse: integerOption({ min: 1 }),
    setting: 'maxSetups',
  },
  {
    flags: '--call-timeout <seconds>',
    description: 'a tool that runs longer is stopped, unless it has a time of its own (default: no limit)',
    parse: parseTime('no limit'),
    setting: 'callTimeoutMs',
  },
  {
    flags: '--lookup-timeout <seconds>',
    description: 'finding tasks, or making a prompt, that takes longer is stopped (default: 300)',
    parse: parseTime('300 seconds, the default'),
    setting: 'lookupTimeoutMs',
  },
  {
    flags: '--setup-timeout <seconds>',
    description: 'a setup that runs longer is stopped, and its session with it (default: no limit)',
    parse: parseTime('no limit'),
    setting: 'setupTimeoutMs',
  },
  {
    flags: '--idle-timeout <seconds>',
    description: 'a session without requests ends after this time (default: 900)',
    parse: parseTime('900 seconds, the default'),
    setting: 'idleTimeoutMs',
  },
  {
    flags: '--max-lifetime <seconds>',
    description: 'a session ends after this time, whatever goes on in it (default: no limit)',
    parse: parseTime('no limit'),
    setting: 'maxLifetimeMs',
  },
  {
    flags: '--max-result <size>',
    description: 'a larger result is not sent; the call fails and says so (default: 128MB)',
    parse: parseBytes,
    setting: 'maxResultBytes',
  },
  {
    flags: '--max-body <size>',
    description: 'a larger request body gets 413 (default: 32MB)',
    parse: parseBytes,
    setting: 'bodyLimitBytes',
  },
  {
    flags: '--max-headers <size>',
    description: 'larger request headers, X-Secrets among them, get 431 (default: 64KB)',
    parse: parseBytes,
    setting: 'headerLimitBytes',
  },
  {
    flags: '--drain-timeout <seconds>',
    description: 'after SIGTERM, how long the sessions that are left may go on (default: 25)',
    parse: parseSeconds,
    setting: 'drainTimeoutMs',
  },
];

export function addLimitOptions(command: Command): Command {
  for (const { flags, description, parse } of OPTIONS) {
    command.addOption(new Option(flags, description).argParser(parse).helpGroup('Limits:'));
  }
  return command;
}

/** What the flags say of the settings. */
export function toSettings(flags: object): Partial<ServerSettings> {
  const given = OPTIONS.flatMap(({ flags: names, description, setting }) => {
    const value = (flags as Readonly<Record<string, unknown>>)[new Option(names, description).attributeName()];
    return value === undefined ? [] : [[setting, value]];
  });
  return Object.fromEntries(given);
}

const MAX_SECONDS = 1e9;

/** Parses seconds. @returns milliseconds. */
function parseSeconds(text: string): number {
  const seconds = parseNumber(text, { min: 0, max: MAX_SECONDS });
  return 1_000 * orInvalid(seconds, 'seconds from 0 up, such as 30 or 0.5');
}

/**
 * Does the same for a limit: 0 would end everything before it begins, and some mean by it that there is no limit.
 *
 * @param byDefault limit without the option.
 */
function parseTime(byDefault: string): Parse {
  return (text) => {
    const seconds = parseNumber(text, { min: Number.MIN_VALUE, max: MAX_SECONDS });
    return 1_000 * orInvalid(seconds, `seconds above 0, such as 30 or 0.5; leave it out for ${byDefault}`);
  };
}

function parseBytes(text: string): number {
  return orInvalid(parseSize(text) || undefined, 'bytes, or a size such as 64KB, 32MB or 1GB');
}
