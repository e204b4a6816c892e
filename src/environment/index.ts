export {
  type Durability,
  defineEnvironment,
  type Environment,
  type EnvironmentDefinition,
  type EnvironmentIsolation,
  type EpisodeContext,
  type PlayerOutput,
  type ScoreGroupContext,
  type SetupContext,
  type SolveContext,
} from './define-environment.ts';
export {
  type CallMode,
  defineTool,
  type RunContext,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from './define-tool.ts';
export {
  type Conditions,
  EMPTY_TOOL_ERROR,
  Episode,
  type EpisodeHost,
  type ToolRunResult,
  withToolset,
} from './episode.ts';
export { findSplit, getTaskAt, publicTask, resolveTask } from './task-access.ts';
export { type SplitDefinition, sliceBounds, type TaskLookup } from './tasks.ts';
export { listTools, type ToolListing, toolNames } from './terminal-tool.ts';
export type { SerializedGroupScore } from './tool-output.ts';
