import { openFileLimit } from '../process/proc.ts';
import { startClient } from './client-process.ts';
import type { ClientProgram } from './client-programs.ts';
import { type ClientContext, startOurServer } from './episodes.ts';

/** Open files of a client process that are not connections. */
export const OTHER_FILES = 100;
/** One connection for the call, one for a concurrent ping, one that is closing. */
export const FILES_PER_EPISODE = 3;
/** Time to start a server and a client. */
const START_SECONDS = 5;

interface LoadSize {
  count: number;
  seconds: number;
  timeout: number;
}

/** Measures episodes that all start at the same moment on one client, each with a call of some seconds. */
export async function measureManyAtOnce(context: ClientContext): Promise<void> {
  const size = context.isQuick ? { count: 300, seconds: 2, timeout: 10 } : { count: 2000, seconds: 5, timeout: 40 };
  const needed = size.count * FILES_PER_EPISODE + OTHER_FILES;
  if (openFileLimit('self') < needed) {
    context.results.notes.add(`The part many was skipped: it needs ${needed} open files (\`ulimit -n ${needed}\`).`);
    return;
  }
  const measure = `${size.count.toLocaleString('en')} episodes at once, each with a call of ${size.seconds} s`;
  const share = context.secondsLeft() / context.programs.length - START_SECONDS;
  const timeout = Math.max(size.seconds + 5, Math.min(size.timeout, share));
  for (const program of context.programs) {
    context.progress(`${measure}, ${program.name}`);
    await measureClient(context, measure, program, { ...size, timeout }).catch((error) =>
      context.results.fault(measure, program.name, error),
    );
  }
}

async function measureClient(
  { results }: ClientContext,
  measure: string,
  program: ClientProgram,
  { count, seconds, timeout }: LoadSize,
): Promise<void> {
  await using host = await startOurServer();
  await using client = startClient(program, host.port);
  // Plays one episode first, so that the client has loaded all of its code.
  const call = { name: 'submit_slowly', input: { answer: '4', seconds: 0 } };
  await client.run({ workers: 1, seconds: 0, timeout, call });
  const memoryBefore = client.memory().now;
  const filesBefore = client.openFiles();
  let files = filesBefore;
  const sampler = setInterval(() => {
    files = Math.max(files, client.openFiles());
  }, 250);
  const job = { workers: count, seconds: 0, timeout, call: { ...call, input: { ...call.input, seconds } } };
  const result = await client.run(job).finally(() => clearInterval(sampler));

  for (const fault of result.faults) results.fault(measure, program.name, fault);
  const late = count - result.durations.length - result.faults.length;
  if (late > 0) {
    results.notes.add(
      `${measure}, ${program.name}: ${late} had not ended after the timeout of ${timeout.toFixed(0)} s.`,
    );
  }
  const { peak } = client.memory();
  const record = (name: string, better: 'more' | 'less' | 'neither', value: number) =>
    results.record({ measure, name, better }, program.name, value);
  record('completed', 'more', result.durations.length);
  if (late === 0) record('total s', 'less', result.seconds);
  if (late === 0) record('client CPU us/episode', 'less', result.cpu / count);
  record('peak RSS MB', 'less', peak / 1024 / 1024);
  record('RSS kB/episode', 'less', (peak - memoryBefore) / 1024 / count);
  record('peak open sockets', 'neither', files - filesBefore);
}
