/**
 * Names that examples in src/ use but do not declare: values that readers have, such as a session, and exports of other
 * packages.
 */
import type { generateText } from 'ai';
import type { Environment, JSONObject } from 'ors-kit';
import type { RecordedTrace } from 'ors-kit/bridges/replay';
import type { OpenAIMessage, OrsClient, RemoteEnvironment, Session } from 'ors-kit/client';
import type { ConformanceOptions, createInputGenerator, EnvironmentSdk } from 'ors-kit/conformance';
import type { GeneratedFile } from 'ors-kit/generate';
import type { Agent, RunFolder, RunPlan, RunResults } from 'ors-kit/rollout';
import type { Sandbox } from 'ors-kit/sandbox';
import type { RunningServer, ServerSpec } from 'ors-kit/server';
import type { LoggedBlock, TraceApiRequester, TraceClient, TraceHandle } from 'ors-kit/trace';
import type { TraceStore } from 'ors-kit/trace/server';

export { appendFileSync, createReadStream } from 'node:fs';
export { mkdtemp, readFile, rm } from 'node:fs/promises';
export { default as Anthropic } from '@anthropic-ai/sdk';
export { expect } from '@jest/globals';
export { InMemoryTransport } from '@modelcontextprotocol/server';
export { Agent, run } from '@openai/agents-core';
export { generateText } from 'ai';
export { default as express } from 'express';
export { default as OpenAI } from 'openai';
export { z } from 'zod';

// Values of every reader.
export declare const error: unknown;
export declare const id: string;
export declare const input: JSONObject;
export declare const key: string;
export declare const name: string;
export declare const path: string;
export declare const secret: string;
export declare const signal: AbortSignal;
export declare const url: string;
/** Function that an application has. */
type Step = (value?: unknown) => Promise<void>;
export declare const discard: Step;
export declare const playAgain: Step;
export declare const report: Step;
export declare const saveForLater: Step;
export declare const stop: Step;
export declare const discardGroup: Step;

// Environments and servers.
export declare const environment: Environment;
export declare const definition: {
  readonly name: 'maze';
  readonly splits: { readonly train: readonly [] };
  readonly prompt: () => string;
  readonly tools: Record<never, never>;
};
export declare const files: readonly GeneratedFile[];
export declare const generated: Omit<ServerSpec, 'handlers'>;
export declare const sandbox: Sandbox;
export declare const server: RunningServer;
export declare const verifyToken: (token: string | undefined) => Promise<{ subject: string } | undefined>;

// Clients and agents.
export declare const client: OrsClient;
export declare const maze: RemoteEnvironment;
export declare const messages: OpenAIMessage[];
export declare const model: Exclude<Parameters<typeof generateText>[0]['model'], string>;
export declare const recorded: RecordedTrace;
export declare const savedHandle: string;
export declare const session: Session;
export declare const rewards: readonly number[];
export declare const toolCall: { readonly id: string; readonly name: string; readonly input: JSONObject };

// Runs.
export declare const agent: Agent;
export declare const folder: RunFolder;
export declare const plan: RunPlan;
export declare const planned: number;
export declare const results: RunResults;

// Traces.
export declare const api: TraceApiRequester;
export declare const call: LoggedBlock;
export declare const message: LoggedBlock;
export declare const store: TraceStore;
export declare const trace: TraceHandle;
export declare const traces: TraceClient;

// Conformance runs.
export declare const after: string;
export declare const before: string;
export declare const inputs: ReturnType<typeof createInputGenerator>;
export declare const options: ConformanceOptions;
export declare const sdk: EnvironmentSdk;
