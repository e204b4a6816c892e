import type { StartedProgram } from './run-program.ts';
import type { SandboxGuarantees, SandboxHandle, SandboxProvider } from './types.ts';

export type ProgramSpec = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Whether it reads what comes through the child's stdin. */
  hasInput: boolean;
};

/** What tells providers apart: how a program is started, and how everything is removed. */
export type SandboxBackend = {
  provider: SandboxProvider;
  handle: SandboxHandle;
  workdir: string;
  guarantees: SandboxGuarantees;
  start(program: ProgramSpec): StartedProgram;
  remove(): Promise<void>;
};
