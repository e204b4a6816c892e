import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onServerCore } from '../process/pinning.ts';

/** Keeps a core busy from another process for some seconds; on the server's core if that one has a core of its own. */
export async function computeBeside(seconds: number, isOnServerCore: boolean): Promise<void> {
  const line = [process.execPath, '-e', `for (const end = Date.now() + ${seconds * 1000}; Date.now() < end; );`];
  const [command, ...args] = isOnServerCore ? onServerCore(line) : line;
  const child = spawn(command ?? process.execPath, args, { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The process that computes ended with ${code}`);
}
