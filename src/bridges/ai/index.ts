export type {
  BridgeCallResult,
  BridgePlayOptions,
  BridgeSession,
  PromptedSession,
  VisibleBlock,
  VisibleResult,
} from '../session/index.ts';
export {
  type AiAssistantPart,
  type AiMessage,
  type AiPrompt,
  type AiPromptOptions,
  type AiSystemMessage,
  type AiToolResultPart,
  type AiUserPart,
  aiPrompt,
} from './ai-prompt.ts';
export {
  type AiContent,
  type AiExecuteOptions,
  type AiResultPart,
  type AiRunResult,
  type AiSchema,
  type AiStep,
  type AiTool,
  type AiToolOutput,
  type AiVersion,
  aiTools,
  submitFinalMessage,
  whenEpisodeOver,
} from './ai-tools.ts';
