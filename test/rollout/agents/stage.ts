import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Environment } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { recordEpisode } from 'ors-kit/trace';
import type { Agent, AgentContext, AgentLimits } from '../../../src/rollout/agent.ts';
import { type LanguageModel, type ModelAgentOptions, modelAgent } from '../../../src/rollout/index.ts';
import { start } from '../../support/client.ts';
import { connect, startStore } from '../../trace/client/store-and-proxy.ts';
import { type FakeReply, startProvider } from './fake-provider.ts';

const NO_LIMITS: AgentLimits = { turns: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY };

export interface EpisodeOptions {
  readonly split?: string;
  readonly index?: number;
  readonly limits?: Partial<AgentLimits>;
  readonly signal?: AbortSignal;
  readonly seed?: number;
  /** Records the episode in a trace. */
  readonly traced?: boolean;
}

/** Plays one episode of an environment over HTTP. */
export async function playEpisode(environment: Environment, agent: Agent, options: EpisodeOptions = {}) {
  const { split = 'train', index = 0, limits, signal = new AbortController().signal, seed = 7, traced } = options;
  const server = await start(environment);
  const store = traced ? await startStore() : undefined;
  const traces = store && connect(store.url);
  const client = new OrsClient(server.url, { retry: { budgetMs: 500 } });
  try {
    const remote = client.environment(environment.name);
    const { task } = await remote.task(split, index);
    const trace = traces?.createTrace({ environment: environment.name });
    const opened = await remote.session({ split, index });
    const session = trace ? recordEpisode(opened, trace) : opened;
    const played = { environment: environment.name, split, index, task };
    const context: AgentContext = { task: played, sample: 0, seed, limits: { ...NO_LIMITS, ...limits }, signal, trace };
    const report = await agent(session, context);
    await session.close();
    const flushed = await traces?.flush();
    if (flushed?.failed.length) throw flushed.failed[0]?.error;
    return { report, trace: store && trace ? await store.stitched(trace.id) : undefined };
  } finally {
    await client.close();
    await traces?.close();
    await server.close();
    await store?.[Symbol.asyncDispose]();
  }
}

const MODELS = {
  compatible: (baseURL: string) =>
    createOpenAICompatible({ name: 'openai-compatible', baseURL, includeUsage: true })('fake-1'),
  anthropic: (baseURL: string) => createAnthropic({ baseURL, apiKey: 'key' })('fake-claude'),
  responses: (baseURL: string) => createOpenAI({ baseURL, apiKey: 'key' })('fake-gpt'),
};

export type ModelOptions = Omit<ModelAgentOptions, 'model'> & { readonly via?: keyof typeof MODELS };

/** Creates an agent with a scripted model, whose provider runs until the stage is disposed. */
export async function stageModel(script: readonly FakeReply[], { via = 'compatible', ...options }: ModelOptions = {}) {
  const provider = await startProvider(script);
  const model: LanguageModel = MODELS[via](provider.url);
  const agent = modelAgent({ model, ...options });
  return { ...provider, agent };
}
