export type { BridgeCallResult, BridgeSession, VisibleBlock, VisibleResult } from '../session/index.ts';
export {
  type AiContent,
  type AiSchema,
  type AiTool,
  type AiToolOutput,
  type AiToolsOptions,
  aiTools,
  whenEpisodeOver,
} from './ai-tools.ts';
