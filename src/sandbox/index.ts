export { createSandbox, findSandboxProblem, removeSandbox, removeStaleSandboxes } from './create-sandbox.ts';
export { discardSnapshot } from './snapshots.ts';
export * from './types.ts';
