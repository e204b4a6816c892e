import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMissingPackage } from '../../../core/index.ts';
import { AgentError } from '../../agent.ts';
import type { LanguageModel } from './language-model.ts';

/** What every provider of the AI SDK can do. */
interface ImportedProvider {
  languageModel(modelId: string): LanguageModel;
}

export type CreateProvider = (options: object) => ImportedProvider;

/**
 * Loads the function of `@ai-sdk/<name>` that makes its provider; from the packages beside this one, or those of the
 * working directory.
 *
 * @throws AgentError that says what to install.
 */
export async function importProvider(name: string): Promise<CreateProvider> {
  const packageName = `@ai-sdk/${name}`;
  const exports = await load(packageName);
  const requested = `create${name.replaceAll('-', '')}`.toLowerCase();
  const makers = Object.keys(exports).filter((key) => /^create[A-Z]/.test(key));
  const maker = makers.find((key) => key.toLowerCase() === requested) ?? makers[0];
  const create = maker === undefined ? undefined : exports[maker];
  if (typeof create !== 'function') {
    const message = `the package ${packageName} has no function that makes a provider, such as createOpenAI`;
    throw new AgentError(message, { retryable: false });
  }
  return create as CreateProvider;
}

async function load(packageName: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(packageName);
  } catch (cause) {
    if (!isMissingPackage(cause, packageName)) throw cause;
    const path = findHere(packageName);
    if (path !== undefined) return await import(pathToFileURL(path).href);
    const isServer = packageName.endsWith('/openai-compatible');
    const other = isServer ? '' : '; or give the base URL of a server with the interface of OpenAI, such as vLLM';
    const message = `this model needs the package ${packageName}; install it with: npm install ${packageName}${other}`;
    throw new AgentError(message, { retryable: false, cause });
  }
}

function findHere(packageName: string): string | undefined {
  try {
    return createRequire(join(process.cwd(), 'here.js')).resolve(packageName);
  } catch {
    return undefined;
  }
}
