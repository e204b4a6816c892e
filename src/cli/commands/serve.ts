import { pino } from 'pino';
import { definedFields, isLoopbackHost, parseInteger } from '../../core/index.ts';
import type { HostingOptions } from '../../hosting/index.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { integerParser, orInvalid, parsePort } from '../flag-parsers.ts';
import { ignoreBrokenPipe } from '../process.ts';
import { accessFlags, assertAccessOptions, toAccessOptions } from '../serve/access.ts';
import { limitFlags, toSettings } from '../serve/limits.ts';
import { describeListenError, type ListenAddress } from '../serve/port.ts';
import { openRecording, recordingFlags } from '../serve/recording.ts';
import { serveWatching } from '../serve/reload-manager.ts';
import { isServerProcess, runServerProcess } from '../serve/run-server-process.ts';
import { serveOnce } from '../serve/serve-once.ts';
import { workerFlags, workerListenOptions } from '../workers/flags.ts';
import { serveWorkers } from '../workers/serve-workers.ts';

const flags = {
  '--port <number>': { help: 'port to listen on; 0 picks a free one', env: 'PORT', default: 8080, parse: parsePort },
  '--host <address>': { help: 'address to listen on', env: 'HOST', default: '127.0.0.1' },
  '--watch': 'reload the modules when they, or files that they import, change',
  '--log-level <level>': {
    help: 'log level',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    default: 'info',
  },
  '--errors <detail>': {
    help: "detail of an environment's errors that clients receive",
    choices: ['none', 'message', 'stack'],
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
} as const;

type ServeFlags = FlagValues<typeof flags>;

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Serve environments over HTTP.',
  arguments: [['<module...>', '.ts, .js or .mjs files that export environments']],
  flags,
  examples: [
    'ors serve examples/countdown/environment.ts --port 8080',
    'ors serve examples/countdown/environment.ts --traces traces.db',
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
  const address: ListenAddress = { port, host };
  if (options.watch && !isServerProcess()) return listening(address, () => serveWatching(modules, address));

  const log = pino({ level: options.logLevel }, output).child(nodeTag === undefined ? {} : { node: nodeTag });
  const { isolation, threads, threadMemory } = options;
  const hosting: HostingOptions = definedFields({ isolation, threads, memoryMiB: threadMemory });
  const recording = await openRecording(options, log, nodeTag);
  const access = toAccessOptions(options, log);
  // A client that may play must not be able to read the traces of others.
  const isPrivate = isLoopbackHost(host) && !access.authenticate && !options.allowedHost;
  const server = {
    log,
    errorDetail: options.errors,
    metrics: options.metrics,
    ...toSettings(options),
    ...(nodeTag !== undefined && { nodeTag }),
    ...access,
    ...(recording && { recorder: recording.recorder, ...(isPrivate && { mounts: recording.mounts }) }),
  };
  if (isServerProcess()) return runServerProcess(modules, server, hosting, recording);
  return listening(address, () => serveOnce(modules, { ...address, ...server }, hosting, recording));
}

async function listening(address: ListenAddress, serve: () => Promise<unknown>): Promise<void> {
  try {
    await serve();
  } catch (error) {
    throw await describeListenError(error, address);
  }
}

function parseThreads(text: string): number | 'session' {
  return text === 'session'
    ? text
    : orInvalid(parseInteger(text, { min: 1 }), "a whole number from 1 up, or 'session'");
}
