import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { openFileCount, peakResidentBytes, residentBytes } from '../process/proc.ts';
import type { ClientProgram } from './client-programs.ts';
import type { Job, JobResult } from './programs/jobs.ts';

export interface ClientProcess<J = Job, Result = JobResult> {
  name: string;
  child: ChildProcess;
  /** Runs one job. @throws Error if the process exits before its result. */
  run(job: J): Promise<Result>;
  /** Number of open files, including sockets; 0 if the system does not report it. */
  openFiles(): number;
  /** Bytes of resident memory: current and peak; NaN if the system does not report it. */
  memory(): { now: number; peak: number };
  [Symbol.asyncDispose](): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Hides the user's keys, keeps proxies away from the loopback interface, and prevents queries to a package index. */
const environment = {
  ORS_API_KEY: '',
  OPENREWARD_API_KEY: '',
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
  OPENREWARD_DISABLE_UPDATE_CHECK: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  NODE_ENV: 'production',
};

/** Starts a client for the server on `port`. It runs on the core of this process, and is killed with it. */
export function startClient<J = Job, Result = JobResult>(
  { name, command, args }: ClientProgram,
  port: number,
): ClientProcess<J, Result> {
  const child = spawn(command, [...args, `http://127.0.0.1:${port}`], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
  });
  running.add(child);
  const { stdin, stdout, stderr: errors } = child;
  // With an IPC channel, the types do not know that these are pipes.
  if (!stdin || !stdout || !errors) throw new Error(`${name} has no pipes`);
  let stderr = '';
  errors.on('data', (part) => {
    stderr = (stderr + part).slice(-2000);
  });
  const exited = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the client exited: ${stderr.trim() || 'it printed nothing'}`)));
  });
  exited.catch(() => running.delete(child));
  stdin.on('error', () => undefined);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const pid = child.pid ?? 0;

  return {
    name,
    child,
    async run(job) {
      stdin.write(`${JSON.stringify(job)}\n`);
      const { value } = await Promise.race([lines.next(), exited]);
      return value === undefined ? exited : JSON.parse(value);
    },
    openFiles: () => openFileCount(pid),
    memory: () => ({ now: residentBytes(pid), peak: peakResidentBytes(pid) }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited.catch(() => undefined);
    },
  };
}

/** Kills the running clients without waiting for their exit. */
export function killClients(): void {
  for (const child of running) child.kill('SIGKILL');
}
