export type { BridgeResult, BridgeSession, Shown, VisibleBlock } from '../session/index.ts';
export {
  type AiContent,
  type AiSchema,
  type AiTool,
  type AiToolOutput,
  type AiToolsOptions,
  aiTools,
  whenEpisodeOver as whenOver,
} from './ai-tools.ts';
