import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type ConformanceOptions, EXIT_CODES, type TargetProcess } from '../../conformance/index.ts';
import { bareHost, oneLine, poll, settlesWithin, withoutTrailingSlashes } from '../../core/index.ts';
import { endingOf, killGroup } from '../../core/node/index.ts';
import { CliError } from '../failure.ts';
import { requestOnce } from '../remote/connect.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const STOP_MS = 10_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const SHOWN_CHARACTERS = 600;

/** A server that a shell command has started; disposing of it stops its whole process group. */
interface StartedServer extends TargetProcess, AsyncDisposable {}

/**
 * Starts a server with a shell command and waits until it responds.
 *
 * @throws CliError with the output of the command; the signal's reason.
 */
export async function startServer(
  command: string,
  url: URL,
  tls: TlsOptions,
  signal: AbortSignal,
): Promise<StartedServer> {
  if (await isTaken(url)) {
    throw new CliError(`another server listens on ${url.host}; stop it, or start yours on a free port`);
  }
  const server = run(command);
  try {
    await waitForResponse(server, command, url, tls, signal);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

function run(command: string): StartedServer & { readonly ending: () => string | undefined } {
  // Its own process group: a shell or npm does not always pass signals on, and Ctrl-C must reach the suite only.
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  let length = 0;
  let ending: string | undefined;
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
      ending ??= how;
      resolve();
    };
    child.once('error', (error) => over(error.message));
    child.once('close', (code, name) => over(endingOf(code, name)));
  });
  return {
    output: () => output.join(''),
    terminate: () => killGroup(child, 'SIGTERM'),
    ended,
    ending: () => ending,
    async [Symbol.asyncDispose]() {
      killGroup(child, 'SIGTERM');
      await settlesWithin(STOP_MS, ended);
      kill();
      process.off('exit', kill);
    },
  };
}

async function waitForResponse(
  server: ReturnType<typeof run>,
  command: string,
  url: URL,
  tls: TlsOptions,
  signal: AbortSignal,
): Promise<void> {
  let status: number | undefined;
  const hasStarted = async () => {
    status = await requestHealthStatus(url, tls, POLL_MS * 20);
    // A server that is still starting may respond 5xx; everything else is for the checks to judge.
    if (status !== undefined && status < 500) return true;
    const ending = server.ending();
    if (ending !== undefined) throw notStarted(`'${command}' ended (${ending}) before it responded`, server);
    return undefined;
  };
  if (await poll(hasStarted, { everyMs: POLL_MS, timeoutMs: START_TIMEOUT_MS, signal })) return;
  const outcome = status === undefined ? 'did not respond' : `responded with status ${status}`;
  throw notStarted(`'${command}' ${outcome} to GET ${url.origin}/health within ${START_TIMEOUT_MS / 1_000} s`, server);
}

function notStarted(what: string, server: TargetProcess): CliError {
  const printed = oneLine(server.output());
  const shown = printed.length > SHOWN_CHARACTERS ? `...${printed.slice(-SHOWN_CHARACTERS)}` : printed;
  const output = printed === '' ? 'it printed nothing' : `it printed: ${shown}`;
  return new CliError(`${what}; ${output}`, { exitCode: EXIT_CODES['no-target'] });
}

async function isTaken({ hostname, port, protocol }: URL): Promise<boolean> {
  const socket = connect({ host: bareHost(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

type TlsOptions = NonNullable<ConformanceOptions['tls']>;

/** Returns the status of GET /health; undefined without a response. */
async function requestHealthStatus(url: URL, tls: TlsOptions, timeoutMs: number): Promise<number | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await requestOnce(`${withoutTrailingSlashes(url.href)}/health`, { ...tls, signal });
    response.destroy();
    return response.statusCode;
  } catch {
    return undefined;
  }
}
