export type {
  BridgeCallResult,
  BridgePlayOptions,
  BridgeSession,
  VisibleBlock,
  VisibleResult,
} from '../session/index.ts';
export {
  type AiContent,
  type AiSchema,
  type AiTool,
  type AiToolOutput,
  aiTools,
  whenEpisodeOver,
} from './ai-tools.ts';
