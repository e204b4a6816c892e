import { pino } from 'pino';
import { definedFields, isLoopbackHost, parseInteger, parseNumber } from '../../core/index.ts';
import type { HostingOptions } from '../../hosting/index.ts';
import type { ServerSettings } from '../../server/index.ts';
import {
  defineCommand,
  defineFlags,
  type FlagValues,
  integerParser,
  orInvalid,
  parsePort,
  parsePositive,
} from '../command.ts';
import { ignoreBrokenPipe } from '../process.ts';
import { accessFlags, assertAccessOptions, toAccessOptions } from '../serve/access.ts';
import { explainListenErrors } from '../serve/port.ts';
import { journalFlags, openRecording, openServerJournal, recordingFlags } from '../serve/recording.ts';
import { serveWatching } from '../serve/reload-manager.ts';
import { isServerProcess, runServerProcess, serveOnce } from '../serve/serve-modules.ts';
import { serveWorkers, workerFlags, workerListenOptions } from '../workers/serve-workers.ts';

const MAX_SECONDS = 1e9;

const limitFlags = defineFlags(
  {
    '--max-sessions <number>': {
      help: 'maximum number of sessions; further ones wait 20 s for a slot, then get 503',
      parse: parsePositive,
    },
    '--max-sessions-per-key <number>': {
      help: 'maximum number of sessions per API key; further ones wait 20 s, then get 429',
      parse: parsePositive,
    },
    '--max-calls <number>': { help: 'maximum number of running tool calls; further ones wait', parse: parsePositive },
    '--max-setups <number>': { help: 'maximum number of running setups; further ones wait', parse: parsePositive },
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
    '--evict-after <seconds>': {
      help: 'with --journal: time without calls after which a session leaves memory until it is used (default: never)',
      parse: limitParser('never'),
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

const flags = {
  '--port <number>': { help: 'port to listen on; 0 picks a free one', env: 'PORT', default: 8080, parse: parsePort },
  '--host <address>': { help: 'address to listen on', env: 'HOST', default: '127.0.0.1' },
  '--watch': 'reload the modules when they, or files that they import, change',
  '--log-level <level>': { help: 'log level', choices: ['silent', 'error', 'warn', 'info', 'debug'], default: 'info' },
  '--errors <detail>': {
    help: "detail of an environment's errors that clients receive",
    choices: ['none', 'message', 'place', 'stack'],
    default: 'message',
  },
  '--isolation <mode>': {
    help: 'where environments run (default: as each environment declares)',
    choices: ['inline', 'worker'],
  },
  '--threads <number>': {
    help: "number of workers that share the sessions, or 'session' for one per session (default: one per core)",
    parse: parseThreads,
  },
  '--thread-memory <MiB>': {
    help: 'maximum heap of a worker, which is ended above it; Buffers are not counted',
    parse: integerParser({ min: 16 }),
  },
  '--no-metrics': 'turn GET /metrics (Prometheus) off',
  ...workerFlags,
  ...limitFlags,
  ...accessFlags,
  ...recordingFlags,
  ...journalFlags,
} as const;

type ServeFlags = FlagValues<typeof flags>;

export const serveCommand = defineCommand({
  name: 'serve',
  arguments: [['<module...>', '.ts, .js or .mjs files that export environments']],
  flags,
  examples: [
    'ors serve environment.ts --port 8080',
    'ors serve environment.ts --traces traces.db',
    'ors serve environment.ts --journal episodes.db',
  ],
  // The main module prints failures: errors of author code may have several lines.
  report: (_flags, serve) => serve(),
  run,
});

async function run(modules: readonly string[], options: ServeFlags): Promise<void> {
  const listen = workerListenOptions(options);
  // Only the topmost process prints warnings.
  if (!isServerProcess() && !(listen && options.workers !== undefined)) assertAccessOptions(options);
  const output = pino.destination({ dest: 2, sync: true });
  ignoreBrokenPipe([process.stdout, process.stderr, output]);
  if (!listen) return serveWorkers(options);

  const { port, nodeTag } = listen;
  const { host } = options;
  const address = { port, host };
  if (options.watch && !isServerProcess()) return explainListenErrors(address, () => serveWatching(modules, address));

  const log = pino({ level: options.logLevel }, output).child(nodeTag === undefined ? {} : { node: nodeTag });
  const { isolation, threads, threadMemory } = options;
  const hosting: HostingOptions = definedFields({ isolation, threads, memoryMiB: threadMemory });
  const recording = await openRecording(options, log, nodeTag);
  const journal = await openServerJournal(options);
  const stores = {
    async close() {
      await recording?.close();
      await journal?.close();
    },
  };
  const access = toAccessOptions(options, log);
  // A client that may play must not be able to read the traces of others.
  const isPrivate = isLoopbackHost(host) && !access.authenticate && !options.allowedHost;
  const server = {
    log,
    errorDetail: options.errors,
    metrics: options.metrics,
    ...toSettings(options),
    ...(nodeTag !== undefined && { nodeTag }),
    ...(journal && { journal }),
    ...access,
    ...(recording && { recorder: recording.recorder, ...(isPrivate && { mounts: recording.mounts }) }),
  };
  if (isServerProcess()) return runServerProcess(modules, server, hosting, stores);
  return explainListenErrors(address, () => serveOnce(modules, { ...address, ...server }, hosting, stores));
}

function parseThreads(text: string): number | 'session' {
  return text === 'session'
    ? text
    : orInvalid(parseInteger(text, { min: 1 }), "a whole number from 1 up, or 'session'");
}

/** Converts the flags to settings of the server. */
function toSettings(flags: FlagValues<typeof limitFlags>): Partial<ServerSettings> {
  return definedFields({
    maxSessions: flags.maxSessions,
    maxSessionsPerKey: flags.maxSessionsPerKey,
    maxCalls: flags.maxCalls,
    maxSetups: flags.maxSetups,
    callTimeoutMs: flags.callTimeout,
    lookupTimeoutMs: flags.lookupTimeout,
    setupTimeoutMs: flags.setupTimeout,
    idleTimeoutMs: flags.idleTimeout,
    evictAfterMs: flags.evictAfter,
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

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_024 ** 2, G: 1_024 ** 3 };

/**
 * Parses a size such as `1024`, `64KB` or `64 KiB`; all units are powers of 1,024.
 *
 * @returns bytes, or undefined for other texts.
 */
export function parseSize(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)(?: ?([KMG])i?B)?$/i.exec(text) ?? [];
  const bytes = Number(count) * (SIZE_UNITS[unit.toUpperCase()] ?? Number.NaN);
  return count !== '' && Number.isSafeInteger(bytes) ? bytes : undefined;
}

function parseBytes(text: string): number {
  return orInvalid(parseSize(text) || undefined, 'bytes, or a size such as 64KB, 32MB or 1GB');
}
