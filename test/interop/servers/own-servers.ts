import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServerProcess } from '../server-process.ts';

/** Starts a server of this project with the environment of counting.ts, in a separate process. */
export function serveCounting(): Promise<ServerProcess> {
  const script = fileURLToPath(new URL('counting.ts', import.meta.url));
  return startServerProcess({ command: process.execPath, args: ['--import', 'tsx', script], env: process.env });
}
