export { createSandbox, findSandboxProblem, removeSandbox, removeStaleSandboxes } from './create-sandbox.ts';
export * from './types.ts';
