import { posix } from 'node:path';
import type { ProgramEnd, RunProgram } from './run-program.ts';
import { type Sandbox, SandboxError, type SandboxLimits } from './types.ts';

const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Maximum length of error messages of programs that access files. */
export const MESSAGE_BYTES = 4_096;
/** Exit codes of the programs below. */
const NOT_FOUND = 64;
const NO_FILE = 65;

/** Reads at most one byte beyond the limit, to distinguish larger files from those of exactly that size. */
const READ = `
  [ -e "$1" ] || exit ${NOT_FOUND}
  [ -f "$1" ] && [ -r "$1" ] || exit ${NO_FILE}
  exec head -c "$2" -- "$1"`;

const WRITE = `
  mkdir -p -- "\${1%/*}/" || exit ${NO_FILE}
  [ ! -e "$1" ] || { [ -f "$1" ] && [ -w "$1" ]; } || exit ${NO_FILE}
  cat > "$1"`;

/**
 * Creates functions that read and write files of a sandbox. They run programs where the commands run: links lead where
 * they would lead commands, and a blocking operation, such as on a pipe, ends with the time limit.
 */
export function createFileAccess(
  run: RunProgram,
  workdir: string,
  limits: SandboxLimits,
): Pick<Sandbox, 'read' | 'write'> {
  const { timeoutMs, diskBytes } = limits;
  return {
    read: async (path, { maxBytes = MAX_READ_BYTES, signal } = {}) => {
      const name = JSON.stringify(path);
      const argv = ['sh', '-c', READ, 'read', posix.resolve(workdir, path), `${maxBytes + 1}`];
      const bounds = { timeoutMs, stdoutBytes: maxBytes + 1, stderrBytes: MESSAGE_BYTES };
      const end = await run(argv, bounds, { cwd: '/', ...(signal && { signal }) });
      assertSuccess(end, `read ${name}`);
      if (end.stdout.totalBytes <= maxBytes) return end.stdout.bytes();
      throw new SandboxError(
        'too-large',
        `cannot read ${name}: it has more than ${maxBytes} bytes; pass a larger maxBytes`,
      );
    },
    write: async (path, content, { signal } = {}) => {
      const name = JSON.stringify(path);
      const size = Buffer.byteLength(content);
      if (size > diskBytes) {
        throw new SandboxError(
          'too-large',
          `cannot write ${name}: its ${size} bytes are more than diskBytes, ${diskBytes}`,
        );
      }
      const argv = ['sh', '-c', WRITE, 'write', posix.resolve(workdir, path)];
      const bounds = { timeoutMs, stdoutBytes: 0, stderrBytes: MESSAGE_BYTES };
      assertSuccess(await run(argv, bounds, { cwd: '/', stdin: content, ...(signal && { signal }) }), `write ${name}`);
    },
  };
}

/** @throws SandboxError with the reason why a program could not finish its task. */
export function assertSuccess({ exitCode, stopped, stderr, durationMs }: ProgramEnd, task: string): void {
  const output = stderr.read().text.trim();
  if (exitCode === 0) return;
  if (stopped === 'time') throw new SandboxError('timeout', `cannot ${task}: timed out after ${durationMs} ms`);
  if (exitCode === NOT_FOUND) throw new SandboxError('not-found', `cannot ${task}: there is no such file`);
  if (exitCode === NO_FILE) {
    throw new SandboxError(
      'no-file',
      `cannot ${task}: it is not a regular file, or permission is denied${output && ` (${output})`}`,
    );
  }
  throw new SandboxError(
    'failed',
    `cannot ${task}: ${stopped ? `limit reached: ${stopped}` : output || `exit code ${exitCode}`}`,
  );
}
