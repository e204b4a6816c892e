import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of this folder in a separate process, which reads and prints lines. */
export interface Program extends AsyncDisposable {
  /** Returns the next line. @throws Error with its stderr, if it has exited without one. */
  line(): Promise<string>;
  /** Sends a line, and returns the next one. */
  ask(request: string): Promise<string>;
  /** Closes its input, and returns the remaining lines until it exits. @throws Error as `line` does. */
  end(): Promise<string>;
  /** Kills it immediately. */
  kill(): Promise<void>;
  readonly hasEnded: () => boolean;
}

/** @param wrapper command that wraps the program, such as `unshare`. */
export function start(name: string, args: readonly string[], wrapper: readonly string[] = []): Program {
  const [command = '', ...rest] = [
    ...wrapper,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    '--expose-gc',
    '--import',
    'tsx',
    fileURLToPath(new URL(name, import.meta.url)),
    ...args,
  ];
  const child = spawn(command, rest, { stdio: 'pipe', env: { PATH: process.env.PATH } });
  const ended = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  // Writing to a program that has exited fails.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  const failure = ([code, signal]: unknown[]) => new Error(`${name} ended (${signal ?? code}): ${errors}`);
  const line = async () => {
    const { done, value } = await lines.next();
    if (done) throw failure(await ended);
    return value;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    line,
    async ask(request) {
      child.stdin.write(`${request}\n`);
      return await line();
    },
    async end() {
      child.stdin.end();
      const output: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) output.push(next.value);
      const result = await ended;
      if (result[0] !== 0) throw failure(result);
      return output.join('\n');
    },
    kill,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    [Symbol.asyncDispose]: kill,
  };
}
