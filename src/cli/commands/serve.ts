import { Command, InvalidArgumentError, Option } from 'commander';
import { pino } from 'pino';
import { serve } from '../../server/index.ts';
import { loadEnvironments } from '../load-environments.ts';

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly logLevel: string;
  readonly errors: 'none' | 'message' | 'stack';
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve environments over HTTP.')
    .argument('<module...>', '.ts, .js or .mjs files that export environments')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one')
        .env('PORT')
        .default(8080)
        .argParser(parsePort),
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
    .addHelpText('after', '\nExample:\n  ors serve examples/countdown/environment.ts --port 8080')
    .action(run);
}

async function run(modules: readonly string[], { port, host, logLevel, errors }: ServeFlags): Promise<void> {
  const environments = await loadEnvironments(modules);
  const log = pino({ level: logLevel }, pino.destination({ dest: 2, sync: true }));
  const server = await serve(environments, { port, host, log, errorDetail: errors }).catch((error: unknown) => {
    throw describeListenError(error, port, host);
  });
  process.stdout.write(`ors serves ${environments.map(({ name }) => name).join(', ')} on ${server.url}\n`);
  process.stdout.write(`reference of the operations: ${server.url}/docs/\n`);
  await stopped();
  process.stdout.write('stopping; tearing down the episodes that are left\n');
  await server.close();
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
  });
}

function describeListenError(error: unknown, port: number, host: string): unknown {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') return new Error(`port ${port} on ${host} is taken; stop what uses it or pass --port 0`);
  if (code === 'EACCES') return new Error(`port ${port} needs privileges; pass a --port above 1023`);
  return error;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError(`'${text}' is no port; give a number from 0 to 65535`);
}
