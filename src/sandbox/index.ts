export {
  createSandbox,
  findSandboxProblem,
  removeSandbox,
  removeStaleSandboxes,
} from './create-sandbox.ts';
export type {
  ReachedLimit,
  RunOptions,
  RunResult,
  Sandbox,
  SandboxGuarantees,
  SandboxHandle,
  SandboxLimits,
  SandboxOptions,
  SandboxProvider,
  SandboxStorage,
  UidRange,
} from './types.ts';
export { SandboxError, type SandboxErrorCode } from './types.ts';
