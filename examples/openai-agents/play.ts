/** Plays an episode of countdown with an agent of the OpenAI Agents SDK. */
import assert from 'node:assert/strict';
import { Agent, run, setTracingDisabled } from '@openai/agents-core';
import {
  agentInput,
  agentTools,
  type BridgeCallResult,
  endWhenEpisodeOver,
  submitFinalMessage,
} from 'ors-kit/bridges/openai-agents';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import countdown from '../countdown/environment.ts';
import { scriptedModel } from './model.ts';

setTracingDisabled(true);
await using server = await serve([countdown], { port: 0, log: pino({ level: 'silent' }) });
await using ors = new OrsClient(server.url);
await using session = await ors.environment('countdown').session({ task: { numbers: [25, 3, 9, 8], target: 672 } });
let reward = 0;
const onResult = (result: BridgeCallResult) => {
  reward += result.reward ?? 0;
};

const agent = new Agent({
  name: 'player',
  // A scripted model that needs no API key, in place of a name such as 'gpt-...'.
  model: scriptedModel([
    ['evaluate', { expression: '25 * 3 + 9' }],
    ['submit', { expression: '(25 * 3 + 9) * 8' }],
  ]),
  tools: await agentTools(session, { onResult }),
  toolUseBehavior: endWhenEpisodeOver(session),
});
const result = await run(agent, await agentInput(session));
// For environments that grade the final message; the episode is finished here, so nothing is submitted.
await submitFinalMessage(session, result, { onResult });

const { finalOutput } = result;
assert.deepEqual([session.finished, reward], [true, 1]);
assert.match(String(finalOutput), /672, the target/);
console.log(`openai-agents: ${finalOutput} Reward ${reward}.`);
