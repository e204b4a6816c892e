import { noun, plural } from '../../core/index.ts';
/**
 * Has it said on standard error if something else than the caller ends this process: a tool may call process.exit, and
 * who started the server should not take that for success. Where the exit code was 0 it is 1. No teardown can run any more.
 *
 * @param exitCode what it becomes whatever it was.
 * @returns the function after which the process may end.
 */
export function reportUnexpectedExit(describe: (code: number) => string, exitCode?: number): () => void {
  const notify = (code: number) => {
    if (exitCode !== undefined || code === 0) process.exitCode = exitCode ?? 1;
    process.stderr.write(`ors: ${describe(code)}\n`);
  };
  process.once('exit', notify);
  return () => void process.off('exit', notify);
}

/** For a process that serves: what ended it, and what that costs. */
export function describeExit(code: number, sessionCount: number): string {
  const lost = `${plural(sessionCount, 'session')} ${noun(sessionCount, 'is', 'are')} lost`;
  const cost = sessionCount === 0 ? '' : `; ${lost}, without teardown`;
  return `an environment's code ended the process (exit code ${code})${cost}`;
}
