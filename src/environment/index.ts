export {
  defineEnvironment,
  type Environment,
  type EnvironmentDefinition,
  type EnvironmentIsolation,
  type EpisodeContext,
  type PlayerOutput,
  type SetupContext,
  type SolveContext,
} from './define-environment.ts';
export {
  defineTool,
  type RunContext,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from './define-tool.ts';
export { EMPTY_TOOL_ERROR, Episode, type EpisodeHost, type ToolRunResult } from './episode.ts';
export { findSplit, getTaskAt, publicTask, resolveTask } from './task-access.ts';
export { type SplitDefinition, sliceBounds, type TaskLookup } from './tasks.ts';
