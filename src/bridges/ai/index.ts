export type { PromptedSession } from '../session/conversation.ts';
export type {
  BridgeCallResult,
  BridgePlayOptions,
  BridgeSession,
  VisibleBlock,
  VisibleResult,
} from '../session/index.ts';
export {
  type AiAssistantPart,
  type AiMessage,
  type AiPrompt,
  type AiSystemMessage,
  type AiToolResultPart,
  type AiUserPart,
  aiPrompt,
} from './ai-prompt.ts';
export {
  type AiContent,
  type AiResultPart,
  type AiRunResult,
  type AiSchema,
  type AiTool,
  type AiToolOutput,
  aiTools,
  submitFinalMessage,
  whenEpisodeOver,
} from './ai-tools.ts';
