import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program of this folder in a process of its own. */
export interface Program extends AsyncDisposable {
  /** Ends it at once, as when the power of its process goes. */
  kill(): Promise<void>;
  /** What it wrote until it ended by itself. @throws Error with what it complained of. */
  output(): Promise<string>;
  readonly hasEnded: () => boolean;
}

/** @param around a command that starts it, such as `unshare`. */
export function start(name: string, args: readonly string[], around: readonly string[] = []): Program {
  const [command = '', ...rest] = [
    ...around,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    '--import',
    'tsx',
    fileURLToPath(new URL(name, import.meta.url)),
    ...args,
  ];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
  const ended = once(child, 'close');
  let said = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text;
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    kill,
    async output() {
      const [code] = await ended;
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${complained}`);
      return said;
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    [Symbol.asyncDispose]: kill,
  };
}
