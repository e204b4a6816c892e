import Anthropic from '@anthropic-ai/sdk';
import { expect } from '@jest/globals';
import OpenAI from 'openai';
import type { StitchedMessage } from '../../../generated/trace.ts';
import { type TraceHandle, wrapAnthropic, wrapOpenAI } from '../../../src/trace/client/index.ts';
import { type Answer, startProvider } from './provider-server.ts';
import { connect, startStore } from './stage.ts';

const apiKey = 'sk-some-key';

export const openAI = (url: string): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
export const anthropic = (url: string): Anthropic => new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });

/** A client of OpenAI's package whose conversation is logged, and what the store has of it. */
export const converseWithOpenAI = (...answers: Answer[]) => converse(openAI, wrapOpenAI, answers);
/** The same with Anthropic's package. */
export const converseWithAnthropic = (...answers: Answer[]) => converse(anthropic, wrapAnthropic, answers);

async function converse<Client extends object>(
  connectTo: (url: string) => Client,
  wrap: (client: Client, trace: TraceHandle) => Client,
  answers: readonly Answer[],
) {
  const provider = await startProvider(answers);
  const store = await startStore();
  const traces = connect(store.url);
  const trace = traces.createTrace();
  return {
    client: wrap(connectTo(provider.url), trace),
    received: provider.received,
    gone: provider.gone,
    trace,
    /** What the store has, when all is delivered. */
    async messages(): Promise<StitchedMessage[]> {
      expect((await traces.flush()).failed).toEqual([]);
      expect(traces.told).toEqual([]);
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

/** Who said what, and what hangs under it. */
export const outline = (messages: readonly StitchedMessage[]) =>
  messages.map(({ payload, thinks, tool_calls }) => [
    payload.role,
    payload.content,
    ...thinks.map((think) => ({ think: think.payload.text })),
    ...tool_calls.map(({ payload: call, tool_results }) => ({
      [call.name]: call.arguments,
      gave: tool_results.map((result) => result.payload.output),
    })),
  ]);
