import { Command, Option } from 'commander';
import { pino } from 'pino';
import { isLoopbackHost, parseInteger } from '../../core/index.ts';
import type { EnvironmentIsolation } from '../../environment/index.ts';
import type { HostingOptions } from '../../hosting/index.ts';
import { integerOption, orInvalid, portOption } from '../option-parsers.ts';
import {
  addServerAccessOptions,
  assertAccessOptions,
  type ServerAccessFlags,
  toAccessOptions,
} from '../serve/access-options.ts';
import { addLimitOptions, toSettings } from '../serve/limit-options.ts';
import { describeListenError, type ListenAddress } from '../serve/port.ts';
import { addRecordingOptions, openRecording, type RecordingFlags } from '../serve/recording.ts';
import { isServerProcess, runServerProcess } from '../serve/run-generation.ts';
import { serveOnce } from '../serve/serve-once.ts';
import { ignoreBrokenPipe } from '../serve/unread-output.ts';
import { serveWatching } from '../serve/watch.ts';
import { addWorkerOptions, type WorkerFlags, workerListenOptions } from '../workers/flags.ts';
import { serveWorkers } from '../workers/serve-workers.ts';

interface ServeFlags extends ListenAddress, WorkerFlags, ServerAccessFlags, RecordingFlags {
  readonly watch?: true;
  readonly logLevel: string;
  readonly metrics: boolean;
  readonly errors: 'none' | 'message' | 'stack';
  readonly isolation?: EnvironmentIsolation;
  readonly threads?: number | 'session';
  readonly threadMemory?: number;
}

export function serveCommand(): Command {
  return addRecordingOptions(addServerAccessOptions(addLimitOptions(addWorkerOptions(new Command('serve')))))
    .description('Serve environments over HTTP.')
    .argument('<module...>', '.ts, .js or .mjs files that export environments')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one')
        .env('PORT')
        .default(8080)
        .argParser(portOption),
    )
    .addOption(new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'))
    .addOption(
      new Option('--log-level <level>', 'what is logged')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .default('info'),
    )
    .addOption(
      new Option('--errors <detail>', "what clients learn of an environment's errors")
        .choices(['none', 'message', 'stack'])
        .default('message'),
    )
    .addOption(
      new Option('--isolation <where>', 'where environments run; by default where each of them says').choices([
        'inline',
        'worker',
      ]),
    )
    .addOption(
      new Option(
        '--threads <number>',
        "workers that share the sessions, or 'session' for one each (default: one a core)",
      ).argParser(parseThreads),
    )
    .addOption(
      new Option(
        '--thread-memory <MiB>',
        'a worker whose JavaScript objects take more is ended; Buffers and the like do not count',
      ).argParser(integerOption({ min: 16 })),
    )
    .option('--no-metrics', 'count nothing; without it GET /metrics answers Prometheus')
    .option('--watch', 'serve anew whenever the modules, or files that they import, change')
    .addHelpText(
      'after',
      '\nExamples:\n  ors serve examples/countdown/environment.ts --port 8080\n  ors serve examples/countdown/environment.ts --traces traces.db',
    )
    .action(run);
}

async function run(modules: readonly string[], flags: ServeFlags): Promise<void> {
  const place = workerListenOptions(flags);
  // The processes below one that has said what there is to say do not repeat it.
  if (!isServerProcess() && !(place && flags.workers !== undefined)) assertAccessOptions(flags);
  const output = pino.destination({ dest: 2, sync: true });
  ignoreBrokenPipe([process.stdout, process.stderr, output]);
  if (!place) return serveWorkers(flags);
  const { port, nodeTag } = place;
  const { host, watch, logLevel, errors, metrics } = flags;
  const address = { port, host };
  const node = nodeTag === undefined ? {} : { node: nodeTag };
  const log = pino({ level: logLevel }, output).child(node);
  const options = {
    log,
    errorDetail: errors,
    metrics,
    ...toSettings(flags),
    ...(nodeTag !== undefined && { nodeTag }),
  };
  const { isolation, threads, threadMemory } = flags;
  const hosting: HostingOptions = {
    ...(isolation && { isolation }),
    ...(threads && { threads }),
    ...(threadMemory && { memoryMiB: threadMemory }),
  };
  if (watch && !isServerProcess()) return listening(address, () => serveWatching(modules, address));
  const recording = await openRecording(flags, log, nodeTag);
  const access = toAccessOptions(flags, log);
  // Whoever may play may not therefore read what others played.
  const isOwn = isLoopbackHost(host) && !access.authenticate && !flags.allowedHost;
  const whole = {
    ...options,
    ...access,
    ...(recording && { recorder: recording.recorder, ...(isOwn && { mounts: recording.mounts }) }),
  };
  if (isServerProcess()) return runServerProcess(modules, whole, hosting, recording);
  return listening(address, () => serveOnce(modules, { ...address, ...whole }, hosting, recording));
}

async function listening(address: ListenAddress, serve: () => Promise<unknown>): Promise<void> {
  try {
    await serve();
  } catch (error) {
    throw await describeListenError(error, address);
  }
}

const parseThreads = (text: string): number | 'session' =>
  text === 'session' ? text : orInvalid(parseInteger(text, { min: 1 }), "a whole number from 1 up, or 'session'");
