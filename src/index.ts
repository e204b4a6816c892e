export {
  defineEnvironment,
  defineTool,
  type Environment,
  type EnvironmentDefinition,
  type EpisodeContext,
  type PlayerOutput,
  type RunContext,
  type SetupContext,
  type SolveContext,
  type SplitDefinition,
  type TaskLookup,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from './environment/index.ts';
export {
  type Block,
  type ImageBlock,
  image,
  type JSONObject,
  type JSONValue,
  type Split,
  type TextBlock,
  type ToolOutput,
  type ToolSpec,
  text,
} from './protocol/index.ts';
export { jsonSchema, type TypedJsonSchema } from './schema/index.ts';
