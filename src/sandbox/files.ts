import { posix } from 'node:path';
import type { RunProgram } from './programs.ts';
import type { ProgramEnd } from './run-program.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Sandbox, SandboxLimits } from './types.ts';

const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Kept of what the programs below say of their failures. */
const MESSAGE_BYTES = 4_096;
/** Their exit codes. */
const NOT_FOUND = 64;
const NO_FILE = 65;

/** One byte beyond the limit at most, so that it is told from a file that has just as many. */
const READ = `
  [ -e "$1" ] || exit ${NOT_FOUND}
  [ -f "$1" ] && [ -r "$1" ] || exit ${NO_FILE}
  exec head -c "$2" -- "$1"`;

const WRITE = `
  mkdir -p -- "\${1%/*}/" || exit ${NO_FILE}
  [ ! -e "$1" ] || { [ -f "$1" ] && [ -w "$1" ]; } || exit ${NO_FILE}
  cat > "$1"`;

/**
 * Files of a sandbox, read and written by programs that run where its commands run: a link leads where it would lead
 * them, and what blocks, such as a pipe in place of a file, ends with the time limit.
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
      refuseFailure(end, `read ${name}`);
      if (end.stdout.totalBytes <= maxBytes) return end.stdout.bytes();
      throw new SandboxError(
        'too-large',
        `cannot read ${name}: it has more than ${maxBytes} bytes; give a larger maxBytes`,
      );
    },
    write: async (path, content, { signal } = {}) => {
      const [name, size] = [JSON.stringify(path), Buffer.byteLength(content)];
      if (size > diskBytes) {
        throw new SandboxError(
          'too-large',
          `cannot write ${name}: its ${size} bytes are more than diskBytes, ${diskBytes}`,
        );
      }
      const argv = ['sh', '-c', WRITE, 'write', posix.resolve(workdir, path)];
      const bounds = { timeoutMs, stdoutBytes: 0, stderrBytes: MESSAGE_BYTES };
      refuseFailure(await run(argv, bounds, { cwd: '/', stdin: content, ...(signal && { signal }) }), `write ${name}`);
    },
  };
}

function refuseFailure({ exitCode, stopped, stderr, durationMs }: ProgramEnd, task: string): void {
  const output = stderr.read().text.trim();
  if (exitCode === 0) return;
  if (stopped === 'time') throw new SandboxError('timeout', `cannot ${task}: not done after ${durationMs} ms`);
  if (exitCode === NOT_FOUND) throw new SandboxError('not-found', `cannot ${task}: there is no such file`);
  if (exitCode === NO_FILE) {
    throw new SandboxError(
      'no-file',
      `cannot ${task}: it is no plain file, or one without the right${output && ` (${output})`}`,
    );
  }
  throw new SandboxError(
    'failed',
    `cannot ${task}: ${stopped ? `limit reached: ${stopped}` : output || `exit code ${exitCode}`}`,
  );
}
