import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { EXIT_CODES, type TargetProcess } from '../../conformance/index.ts';
import { bareHost, oneLine, poll, settlesWithin } from '../../core/index.ts';
import { endingOf, killGroup } from '../../core/node/index.ts';
import { CliError } from '../failure.ts';
import { requestHealthStatus, type TlsOptions } from './health.ts';
import { usageError } from './usage.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const STOP_MS = 10_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const SHOWN = 600;

/** A server that a command has started; disposing of it stops it and all that it has started. */
export interface StartedServer extends TargetProcess, AsyncDisposable {}

/**
 * Starts a server by a command of the shell and waits until it answers. @throws Failure with what the command said, if it
 * does not; the signal's reason, if that aborts.
 */
export async function startServer(
  command: string,
  url: URL,
  tls: TlsOptions,
  signal: AbortSignal,
): Promise<StartedServer> {
  if (await isTaken(url)) {
    throw usageError(
      `something answers at ${url.host} already; stop it, or give --start's server an address that is free`,
    );
  }
  const server = run(command);
  try {
    await answers(server, command, url, tls, signal);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

function run(command: string): StartedServer & { readonly isOver: () => boolean; readonly end: () => string } {
  // A group of its own: a shell, or npm, does not always hand signals on; and Ctrl-C is for the suite first.
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  let [length, end] = [0, ''];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      length += text.length;
      while (length > MAX_OUTPUT_BYTES) length -= output.shift()?.length ?? length;
    });
  }
  const kill = () => killGroup(child, 'SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    const over = (how: string) => {
      end ||= how;
      resolve();
    };
    child.once('error', (error) => over(error.message));
    child.once('close', (code, name) => over(endingOf(code, name)));
  });
  return {
    output: () => output.join(''),
    terminate: () => killGroup(child, 'SIGTERM'),
    ended,
    isOver: () => end !== '',
    end: () => end,
    async [Symbol.asyncDispose]() {
      killGroup(child, 'SIGTERM');
      await settlesWithin(STOP_MS, ended);
      kill();
      process.off('exit', kill);
    },
  };
}

async function answers(
  server: ReturnType<typeof run>,
  command: string,
  url: URL,
  tls: TlsOptions,
  signal: AbortSignal,
): Promise<void> {
  let status: number | undefined;
  const hasStarted = async () => {
    status = await requestHealthStatus(url, tls, POLL_MS * 20);
    // What it answers is for the checks to judge; only that it is still starting is not.
    if (status !== undefined && status < 500) return true;
    if (server.isOver()) throw notStarted(`'${command}' ended (${server.end()}) before it answered`, server);
    return undefined;
  };
  if (await poll(hasStarted, { everyMs: POLL_MS, timeoutMs: START_TIMEOUT_MS, signal })) return;
  const how = status === undefined ? 'no answer' : `status ${status}`;
  throw notStarted(`'${command}' gave ${how} to GET ${url.origin}/health within ${START_TIMEOUT_MS / 1_000} s`, server);
}

function notStarted(what: string, server: TargetProcess): CliError {
  const said = oneLine(server.output());
  const shown = said.length > SHOWN ? `...${said.slice(-SHOWN)}` : said;
  const output = said === '' ? 'it printed nothing' : `it printed: ${shown}`;
  return new CliError(`${what}; ${output}`, { exitCode: EXIT_CODES['no-target'] });
}

function isTaken({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = bareHost(hostname);
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const notify = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(2_000, () => notify(false));
    socket.once('connect', () => notify(true));
    socket.once('error', () => notify(false));
  });
}
