export type { Handler } from './handler.ts';
export { callOf, ENVIRONMENT, ENVIRONMENTS, PROMPT, resultJson, TASK_TOOL, TOOLS } from './healthy.ts';
export type { Operation, Received } from './received.ts';
export { eventText, type Reply } from './reply.ts';
export { ScriptedServer } from './scripted-server.ts';
