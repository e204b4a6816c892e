import type { StartedProgram } from './run-program.ts';
import type { SandboxGuarantees, SandboxHandle, SandboxProvider } from './types.ts';

export type Program = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Whether it reads what comes through the child's stdin. */
  hasInput: boolean;
};

/** What tells providers apart: how a program is started, and how everything is removed. */
export type Place = {
  provider: SandboxProvider;
  handle: SandboxHandle;
  workdir: string;
  guarantees: SandboxGuarantees;
  start(program: Program): StartedProgram;
  remove(): Promise<void>;
};
