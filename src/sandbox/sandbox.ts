import { createFileAccess } from './files.ts';
import type { SandboxBackend } from './place.ts';
import { createProgramRunner } from './programs.ts';
import type { ProgramEnd } from './run-program.ts';
import type { RunResult, Sandbox, SandboxLimits } from './types.ts';

/** A sandbox in a place: what is the same for all providers. */
export function createSandboxOn(
  place: SandboxBackend,
  limits: SandboxLimits,
  env: Readonly<Record<string, string>> = {},
): Sandbox {
  const { provider, handle, workdir, guarantees } = place;
  const programs = createProgramRunner(place, env);
  const { outputBytes } = limits;
  return {
    provider,
    handle,
    workdir,
    guarantees,
    run: async (command, { timeoutMs = limits.timeoutMs, ...ways } = {}) => {
      const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
      if (argv.length === 0) throw new TypeError('run was given an empty list; its first item is the program');
      return asResult(
        await programs.run(argv, { timeoutMs, stdoutBytes: outputBytes, stderrBytes: outputBytes }, ways),
      );
    },
    ...createFileAccess(programs.run, workdir, limits),
    remove: programs.remove,
    [Symbol.asyncDispose]: programs.remove,
  };
}

function asResult({ exitCode, stopped, stdout, stderr, durationMs }: ProgramEnd): RunResult {
  const [out, err] = [stdout.read(), stderr.read()];
  return {
    exitCode,
    stopped,
    stdout: out.text,
    stderr: err.text,
    stdoutOmitted: out.omitted,
    stderrOmitted: err.omitted,
    durationMs,
  };
}
