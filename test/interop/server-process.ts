import { spawn } from 'node:child_process';

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Default: 60,000. */
  readonly timeLimitMs?: number;
}

/**
 * Starts a server that prints `ready <url>` within the time limit and exits at the end of its standard input, so that it
 * never outlives its parent. Shows its standard error.
 */
export async function startServerProcess({
  command,
  args,
  env,
  timeLimitMs = 60_000,
}: ServerCommand): Promise<ServerProcess> {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const ended = new Promise((resolve) => server.on('close', resolve));
  const stop = async () => {
    server.stdin.end();
    const timer = setTimeout(() => server.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  };

  const url = await new Promise<string | undefined>((resolve) => {
    let output = '';
    server.stdout.on('data', (text) => {
      output += text;
      const [, found] = /^ready (\S+)\n/m.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    const giveUp = () => resolve(undefined);
    server.on('error', giveUp);
    void ended.then(giveUp);
    setTimeout(giveUp, timeLimitMs).unref();
  });
  if (url !== undefined) return { url, [Symbol.asyncDispose]: stop };
  await stop();
  const shown = [command, ...args].join(' ');
  throw new Error(`'${shown}' ended, or was not ready after ${timeLimitMs / 1000} s; see what it wrote above`);
}
