import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createLineSplitter, type Deferred, deferred, onAbort, settlesWithin, tryParseJson } from '../../core/index.ts';
import { endingOf, tailOf } from '../../core/node/index.ts';
import { type Channel, cancellation, type McpStdioLocation, respondToServer, resultOf } from './channel.ts';
import { parseMessage, type RpcId, type RpcMessage } from './messages.ts';

/** Number of characters at the end of a program's standard error that error messages quote. */
const STDERR_TAIL_LENGTH = 2_000;
/** Time that a program has to end after its input, and after each signal, in ms. */
const EXIT_MS = 2_000;

/** Variables that a program gets from this process: no secrets. */
const INHERITED =
  process.platform === 'win32'
    ? [
        ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
        ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

/** Starts a program that speaks MCP over its standard input and output. Source: Model Context Protocol, "stdio". */
export function openStdioChannel({ command, args = [], env = {}, cwd }: McpStdioLocation): Channel {
  const child = startProgram(command, args, { env: { ...inheritedVariables(), ...env }, cwd });
  const stderr = tailOf(child.stderr, STDERR_TAIL_LENGTH);
  const pending = new Map<RpcId, Deferred<unknown>>();
  const ended = deferred();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  };
  child.once('error', (error) => {
    fail(error);
    ended.resolve();
  });
  child.once('close', (code, signal) => {
    fail(new Error(`the program ended with ${endingOf(code, signal)}`));
    ended.resolve();
  });
  // The program may end while a message is written to it.
  child.stdin.on('error', () => {});

  const send = (message: RpcMessage) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const receive = (line: string) => {
    // Some programs also print other text.
    const parsed = parseMessage(tryParseJson(line));
    if (parsed?.kind === 'request') send(respondToServer(parsed.message));
    if (parsed?.kind !== 'response') return;
    const request = pending.get(parsed.id as RpcId);
    pending.delete(parsed.id as RpcId);
    if (parsed.error) request?.reject(parsed.error);
    else request?.resolve(resultOf(parsed));
  };
  const lines = createLineSplitter(receive);
  child.stdout.setEncoding('utf8').on('data', lines.push);

  return {
    async request(message, { signal }) {
      signal.throwIfAborted();
      if (failure) throw failure;
      const response = deferred<unknown>();
      pending.set(message.id, response);
      const stopListening = onAbort(signal, (reason) => {
        pending.delete(message.id);
        send(cancellation(message.id, reason));
        response.reject(reason);
      });
      send(message);
      try {
        return await response.promise;
      } finally {
        stopListening();
      }
    },
    async notify(message) {
      send(message);
    },
    setRevision() {},
    async close() {
      child.stdin.end();
      if (await settlesWithin(EXIT_MS, ended.promise)) return;
      child.kill('SIGTERM');
      if (await settlesWithin(EXIT_MS, ended.promise)) return;
      child.kill('SIGKILL');
    },
    stderrTail: () => (stderr().trim() === '' ? '' : `; its standard error ends with: ${stderr().trim()}`),
  };
}

function startProgram(
  command: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string | undefined },
): ChildProcessWithoutNullStreams {
  const stdio = { stdio: 'pipe', windowsHide: true, ...options } as const;
  // On Windows, `npx` and other programs of packages are scripts, which only a shell can start.
  if (process.platform !== 'win32' || /\.exe$/i.test(command)) return spawn(command, [...args], stdio);
  const quoted = [command, ...args].map((part) => (/[\s"&|<>^]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part));
  return spawn(quoted.join(' '), { ...stdio, shell: true });
}

function inheritedVariables(): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    // Bash passes functions in this form.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.fromEntries(inherited);
}
