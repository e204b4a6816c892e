import Anthropic from '@anthropic-ai/sdk';
import { expect } from '@jest/globals';
import OpenAI from 'openai';
import type { StitchedMessage } from '../../../generated/trace.ts';
import { type TraceHandle, wrapAnthropic, wrapOpenAI } from '../../../src/trace/client/index.ts';
import { type ProviderResponse, startProvider } from './provider-server.ts';
import { connect, startStore } from './store-and-proxy.ts';

const apiKey = 'sk-some-key';

export const openAI = (url: string): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
export const anthropic = (url: string): Anthropic => new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });

/** Creates a wrapped client of OpenAI's package, and reads its trace from the store. */
export const converseWithOpenAI = (...responses: ProviderResponse[]) => converse(openAI, wrapOpenAI, responses);
/** Like `converseWithOpenAI`, with Anthropic's package. */
export const converseWithAnthropic = (...responses: ProviderResponse[]) =>
  converse(anthropic, wrapAnthropic, responses);

async function converse<Client extends object>(
  connectTo: (url: string) => Client,
  wrap: (client: Client, trace: TraceHandle) => Client,
  responses: readonly ProviderResponse[],
) {
  const provider = await startProvider(responses);
  const store = await startStore();
  const traces = connect(store.url);
  const trace = traces.createTrace();
  return {
    client: wrap(connectTo(provider.url), trace),
    received: provider.received,
    gone: provider.gone,
    trace,
    /** Returns the stored messages when all blocks are delivered. */
    async messages(): Promise<StitchedMessage[]> {
      expect((await traces.flush()).failed).toEqual([]);
      expect(traces.reported).toEqual([]);
      return (await store.stitched(trace.id)).messages;
    },
    readWhole: () => traces.readTrace(trace.id),
    async [Symbol.asyncDispose]() {
      await traces.close();
      await store[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Returns role and content of each message, with its children. */
export const outline = (messages: readonly StitchedMessage[]) =>
  messages.map(({ payload, thinks, tool_calls }) => [
    payload.role,
    payload.content,
    ...thinks.map((think) => ({ think: think.payload.text })),
    ...tool_calls.map(({ payload: call, tool_results }) => ({
      [call.name]: call.arguments,
      outputs: tool_results.map((result) => result.payload.output),
    })),
  ]);
