export { createSandbox, findSandboxProblem, removeSandbox, removeStaleSandboxes } from './create-sandbox.ts';
export { discardSnapshot } from './folder.ts';
export * from './types.ts';
