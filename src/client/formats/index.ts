export { formatPrompt, formatResults, type ToolCallResult } from './format-messages.ts';
export { formatTools, restoreCall } from './format-tools.ts';
export type * from './types.ts';
