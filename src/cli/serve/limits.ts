import { definedFields, parseNumber } from '../../core/index.ts';
import type { ServerSettings } from '../../server/index.ts';
import { defineFlags, type FlagValues } from '../command.ts';
import { integerParser, orInvalid, parseSize } from '../flag-parsers.ts';

const MAX_SECONDS = 1e9;

export const limitFlags = defineFlags(
  {
    '--max-sessions <number>': {
      help: 'maximum number of sessions; further ones wait 20 s for a slot, then get 503',
      parse: integerParser({ min: 1 }),
    },
    '--max-sessions-per-key <number>': {
      help: 'maximum number of sessions per API key; further ones wait 20 s, then get 429',
      parse: integerParser({ min: 1 }),
    },
    '--max-calls <number>': {
      help: 'maximum number of running tool calls; further ones wait',
      parse: integerParser({ min: 1 }),
    },
    '--max-setups <number>': {
      help: 'maximum number of running setups; further ones wait',
      parse: integerParser({ min: 1 }),
    },
    '--call-timeout <seconds>': {
      help: 'time limit of a tool call, unless the tool has its own (default: no limit)',
      parse: limitParser('no limit'),
    },
    '--lookup-timeout <seconds>': {
      help: 'time limit for finding tasks and for the prompt (default: 300)',
      parse: limitParser('300 seconds, the default'),
    },
    '--setup-timeout <seconds>': {
      help: 'time limit of a setup; its session ends too (default: no limit)',
      parse: limitParser('no limit'),
    },
    '--idle-timeout <seconds>': {
      help: 'time without requests after which a session ends (default: 900)',
      parse: limitParser('900 seconds, the default'),
    },
    '--max-lifetime <seconds>': {
      help: 'time after which a session ends, even if it is active (default: no limit)',
      parse: limitParser('no limit'),
    },
    '--max-result <size>': {
      help: 'maximum size of a result; the call of a larger one fails (default: 128MB)',
      parse: parseBytes,
    },
    '--max-body <size>': {
      help: 'maximum size of a request body; larger ones get 413 (default: 32MB)',
      parse: parseBytes,
    },
    '--max-headers <size>': {
      help: 'maximum size of request headers, including X-Secrets; larger ones get 431 (default: 64KB)',
      parse: parseBytes,
    },
    '--drain-timeout <seconds>': {
      help: 'time that open sessions have to finish after SIGTERM (default: 25)',
      parse: parseMilliseconds,
    },
  },
  'Limits:',
);

/** Converts the flags to settings of the server. */
export function toSettings(flags: FlagValues<typeof limitFlags>): Partial<ServerSettings> {
  return definedFields({
    maxSessions: flags.maxSessions,
    maxSessionsPerKey: flags.maxSessionsPerKey,
    maxCalls: flags.maxCalls,
    maxSetups: flags.maxSetups,
    callTimeoutMs: flags.callTimeout,
    lookupTimeoutMs: flags.lookupTimeout,
    setupTimeoutMs: flags.setupTimeout,
    idleTimeoutMs: flags.idleTimeout,
    maxLifetimeMs: flags.maxLifetime,
    maxResultBytes: flags.maxResult,
    bodyLimitBytes: flags.maxBody,
    headerLimitBytes: flags.maxHeaders,
    drainTimeoutMs: flags.drainTimeout,
  });
}

/** Parses seconds. @returns milliseconds. */
function parseMilliseconds(text: string): number {
  const seconds = parseNumber(text, { min: 0, max: MAX_SECONDS });
  return 1_000 * orInvalid(seconds, 'seconds from 0 up, such as 30 or 0.5');
}

/**
 * Creates a parser of a time limit. 0 is invalid: it would end everything immediately, and could be meant as "no limit".
 *
 * @param fallback limit without the flag.
 */
function limitParser(fallback: string): (text: string) => number {
  return (text) => {
    const seconds = parseNumber(text, { min: Number.MIN_VALUE, max: MAX_SECONDS });
    return 1_000 * orInvalid(seconds, `seconds above 0, such as 30 or 0.5; omit the flag for ${fallback}`);
  };
}

function parseBytes(text: string): number {
  return orInvalid(parseSize(text) || undefined, 'bytes, or a size such as 64KB, 32MB or 1GB');
}
