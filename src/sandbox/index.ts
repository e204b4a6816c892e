export { createSandbox, removeSandbox, removeStaleSandboxes, sandboxProblem } from './create-sandbox.ts';
export { SandboxError, type SandboxErrorCode } from './sandbox-error.ts';
export type {
  ReachedLimit,
  RunOptions,
  RunResult,
  Sandbox,
  SandboxHandle,
  SandboxLimits,
  SandboxOptions,
  SandboxProvider,
} from './types.ts';
