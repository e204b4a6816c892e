import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorMessage, isRecord, tryParseJson, withoutByteOrderMark } from '../../core/index.ts';
import { importModule } from '../../hosting/index.ts';
import { type Agent, AgentError } from '../agent.ts';

/**
 * Loads an agent from a module: its default export, or the export `agent`. TypeScript needs the package tsx.
 *
 * @param file a path or a `file:` URL.
 * @throws AgentError if the module does not exist, cannot be loaded, or exports no agent.
 * @example
 * const agent = await loadAgent('agent.ts');
 */
export async function loadAgent(file: string): Promise<Agent> {
  const url = file.startsWith('file:') ? file : pathToFileURL(resolve(file)).href;
  const exports = await importModule(url).catch(async (cause: unknown) => {
    const advice = (await isParsedAsCommonJs(url, cause)) ? `; ${COMMON_JS_ADVICE}` : '';
    throw new AgentError(`${errorMessage(cause)}${advice}`, { cause });
  });
  const agent = [exports.default, exports.agent].find((value) => typeof value === 'function');
  // Its parameters cannot be checked before it plays.
  if (agent) return agent as Agent;
  const names = Object.keys(exports).join(', ') || 'nothing';
  throw new AgentError(
    `${file} exports ${names}, but no agent; add: export default async (session, context) => { ... }`,
  );
}

const COMMON_JS_ADVICE =
  'the nearest package.json does not declare an ES module; run `npm pkg set type=module` in its folder, or rename the file to .mts';

/** Node parses TypeScript as CommonJS unless package.json says otherwise, and then fails at the first `import`. */
async function isParsedAsCommonJs(url: string, error: unknown): Promise<boolean> {
  if (!(error instanceof Error && error.cause instanceof SyntaxError) || !/\.tsx?$/.test(url)) return false;
  for (let folder = dirname(fileURLToPath(url)); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) {
      const manifest = tryParseJson(withoutByteOrderMark(text));
      return !(isRecord(manifest) && manifest.type === 'module');
    }
    if (folder === dirname(folder)) return true;
  }
}
