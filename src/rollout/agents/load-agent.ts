import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importModule } from '../../hosting/index.ts';
import { type Agent, AgentError } from '../agent.ts';

/**
 * Loads an agent from a module: its default export, or `agent`. TypeScript needs the package tsx.
 *
 * @param file a path, or a `file:` URL.
 * @throws AgentError where the file is not there, does not load, or exports no agent.
 */
export async function loadAgent(file: string): Promise<Agent> {
  const url = file.startsWith('file:') ? file : pathToFileURL(resolve(file)).href;
  const exports = await importModule(url).catch((cause: unknown) => {
    throw new AgentError((cause as Error).message, { retryable: false, cause });
  });
  const agent = [exports.default, exports.agent].find((value) => typeof value === 'function');
  // What a function does with a session shows when it plays.
  if (agent) return agent as Agent;
  const found = Object.keys(exports).join(', ') || 'nothing';
  const message = `${file} exports no agent, but ${found}; write: export default async (session, context) => { ... }`;
  throw new AgentError(message, { retryable: false });
}
