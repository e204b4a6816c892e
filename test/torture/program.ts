import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of this folder in a process of its own; it is told and says lines. */
export interface Program extends AsyncDisposable {
  /** The next line that it says. @throws Error with what it complained of, where it has ended without one. */
  line(): Promise<string>;
  /** Tells it a line, and gives the next one that it says. */
  ask(question: string): Promise<string>;
  /** What else it says until it ends, which the end of its input may make it do. @throws Error as `line`. */
  end(): Promise<string>;
  /** Ends it at once, as when the power of its process goes. */
  kill(): Promise<void>;
  readonly hasEnded: () => boolean;
}

/** @param around a command that starts it, such as `unshare`. */
export function start(name: string, args: readonly string[], around: readonly string[] = []): Program {
  const [command = '', ...rest] = [
    ...around,
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
  let complained = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text;
  });
  // A program that has ended hears nothing any more.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  const failure = ([code, signal]: unknown[]) => new Error(`${name} ended (${signal ?? code}): ${complained}`);
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
    async ask(question) {
      child.stdin.write(`${question}\n`);
      return await line();
    },
    async end() {
      child.stdin.end();
      const said: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) said.push(next.value);
      const how = await ended;
      if (how[0] !== 0) throw failure(how);
      return said.join('\n');
    },
    kill,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    [Symbol.asyncDispose]: kill,
  };
}
