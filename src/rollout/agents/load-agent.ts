import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorMessage, isRecord, tryParseJson } from '../../core/index.ts';
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
  const exports = await importModule(url).catch(async (cause: unknown) => {
    const advice = (await isHeldForCommonJs(url, cause)) ? `; ${COMMON_JS}` : '';
    throw new AgentError(`${errorMessage(cause)}${advice}`, { retryable: false, cause });
  });
  const agent = [exports.default, exports.agent].find((value) => typeof value === 'function');
  // What a function does with a session shows when it plays.
  if (agent) return agent as Agent;
  const found = Object.keys(exports).join(', ') || 'nothing';
  const message = `${file} exports no agent, but ${found}; write: export default async (session, context) => { ... }`;
  throw new AgentError(message, { retryable: false });
}

const COMMON_JS =
  'no package.json beside or above it says that it is an ES module; run there: npm pkg set type=module, or name it .mts';

/** Node reads TypeScript as CommonJS where nothing says otherwise, and stumbles over the first type. */
async function isHeldForCommonJs(url: string, error: unknown): Promise<boolean> {
  if (!(error instanceof Error && error.cause instanceof SyntaxError) || !/\.tsx?$/.test(url)) return false;
  for (let folder = dirname(fileURLToPath(url)); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) {
      const found = tryParseJson(text);
      return !(isRecord(found) && found.type === 'module');
    }
    if (folder === dirname(folder)) return true;
  }
}
