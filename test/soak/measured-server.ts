import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Question, Said, Start, Weight } from './messages.ts';

/** A server in a separate process. */
export interface MeasuredServer extends AsyncDisposable {
  readonly url: string;
  /** Runs the garbage collector of the main thread, and measures the memory. */
  readonly weigh: () => Promise<Weight>;
  /** Sets its clock forward, removes what has expired, and returns the number of remaining sessions. */
  readonly advance: (ms: number) => Promise<number>;
}

export async function startMeasured(start: Start): Promise<MeasuredServer> {
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [JSON.stringify(start)], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const end = new AbortController();
  child.once('exit', (code, signal) => end.abort(new Error(`the measured server ended (${signal ?? code})`)));
  const hear = async () => {
    const [said] = await once(child, 'message', { signal: end.signal });
    return said as Said;
  };
  // One question at a time, so what is said next answers it.
  const ask = async <JobResult extends Said>(question: Question): Promise<JobResult> => {
    const answer = hear();
    child.send(question);
    return (await answer) as JobResult;
  };
  const { url } = (await hear()) as { url: string };
  return {
    url,
    weigh: () => ask<Weight>({ ask: 'weigh' }),
    advance: async (ms) => (await ask<{ sessions: number }>({ ask: 'advance', ms })).sessions,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
