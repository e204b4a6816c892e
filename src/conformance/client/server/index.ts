export type { ScriptedHandler } from './handler.ts';
export {
  ENVIRONMENT,
  ENVIRONMENTS,
  findOrCreateCall,
  PROMPT_TEXT,
  resultJson,
  TASK_TOOL,
  TOOLS,
} from './healthy.ts';
export type { ReceivedRequest, ScriptedOperation } from './received.ts';
export { eventText, type ScriptedReply } from './reply.ts';
export { ScriptedServer } from './scripted-server.ts';
