export {
  defineEnvironment,
  type Environment,
  type EnvironmentDefinition,
  type EpisodeContext,
  type Isolation,
  type PlayerOutput,
  type SetupContext,
  type SolveContext,
} from './define-environment.ts';
export {
  defineTool,
  type RunContext,
  type ToolDefinition,
  type ToolResult,
} from './define-tool.ts';
export { Episode, type EpisodeSession } from './episode.ts';
export type { ToolRun } from './run-tool.ts';
export { findSplit, publicTask, resolveTask, taskAt } from './task-access.ts';
export { type SplitDefinition, sliceBounds, type TaskLookup } from './tasks.ts';
export { ToolError } from './tool-error.ts';
