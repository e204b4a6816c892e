import { Command, InvalidArgumentError, Option } from 'commander';
import { pino } from 'pino';
import { type ServerOptions, serve } from '../../server/index.ts';
import { loadEnvironments } from '../load-environments.ts';
import { type Address, describeListenError } from '../serve/port.ts';
import { isGeneration, runGeneration } from '../serve/run-generation.ts';
import { stopped } from '../serve/stop-signals.ts';
import { serveWatching } from '../serve/watch.ts';

interface ServeFlags extends Address {
  readonly watch?: true;
  readonly logLevel: string;
  readonly errors: 'none' | 'message' | 'stack';
  readonly corsOrigin?: readonly string[];
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
    .addOption(
      new Option(
        '--cors-origin <origin...>',
        "origins whose pages may play here, such as https://example.org; '*' for all",
      ),
    )
    .option('--watch', 'serve anew whenever the modules, or files that they import, change')
    .addHelpText('after', '\nExample:\n  ors serve examples/countdown/environment.ts --port 8080')
    .action(run);
}

async function run(modules: readonly string[], flags: ServeFlags): Promise<void> {
  const { port, host, watch, logLevel, errors, corsOrigin } = flags;
  const address = { port, host };
  const log = pino({ level: logLevel }, pino.destination({ dest: 2, sync: true }));
  const options = { log, errorDetail: errors, ...(corsOrigin && { corsOrigins: corsOrigin }) };
  if (isGeneration()) return runGeneration(modules, options);
  try {
    await (watch ? serveWatching(modules, address) : serveOnce(modules, { ...address, ...options }));
  } catch (error) {
    throw await describeListenError(error, address);
  }
}

async function serveOnce(modules: readonly string[], options: Address & ServerOptions): Promise<void> {
  const environments = await loadEnvironments(modules);
  const server = await serve(environments, options);
  process.stdout.write(`ors serves ${environments.map(({ name }) => name).join(', ')} on ${server.url}\n`);
  process.stdout.write(`reference of the operations: ${server.url}/docs/\n`);
  await stopped();
  process.stdout.write('stopping; tearing down the episodes that are left\n');
  await server.close();
}

function parsePort(text: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError(`'${text}' is no port; give a number from 0 to 65535`);
}
