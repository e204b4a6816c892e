export type { ScriptedHandler as Handler } from './handler.ts';
export {
  ENVIRONMENT,
  ENVIRONMENTS,
  findOrCreateCall as callOf,
  PROMPT_TEXT as PROMPT,
  resultJson,
  TASK_TOOL,
  TOOLS,
} from './healthy.ts';
export type { ReceivedRequest as Received, ScriptedOperation as Operation } from './received.ts';
export { eventText, type ScriptedReply as Reply } from './reply.ts';
export { ScriptedServer } from './scripted-server.ts';
