export {
  defineEnvironment,
  type Environment,
  type EnvironmentDefinition,
  type EnvironmentIsolation as Isolation,
  type EpisodeContext,
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
export { Episode, type EpisodeHost as EpisodeSession } from './episode.ts';
export type { ToolRunResult as ToolRun } from './run-tool.ts';
export { findSplit, getTaskAt as taskAt, publicTask, resolveTask } from './task-access.ts';
export { type SplitDefinition, sliceBounds, type TaskLookup } from './tasks.ts';
export { ToolError } from './tool-error.ts';
