export { formatMessages } from './format-conversation.ts';
export { formatPrompt, formatResults, type ToolCallResult } from './format-messages.ts';
export { formatCallIds, formatToolNames, formatTools, restoreCall } from './format-tools.ts';
export type * from './types.ts';
