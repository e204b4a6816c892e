/** Plays an episode of countdown with `generateText` of the AI SDK. */
import assert from 'node:assert/strict';
import { generateText, stepCountIs } from 'ai';
import { aiPrompt, aiTools, type BridgeCallResult, submitFinalMessage, whenEpisodeOver } from 'ors-kit/bridges/ai';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import countdown from '../countdown/environment.ts';
import { scriptedModel } from './model.ts';

await using server = await serve([countdown], { port: 0, log: pino({ level: 'silent' }) });
await using ors = new OrsClient(server.url);
await using session = await ors.environment('countdown').session({ task: { numbers: [25, 3, 9, 8], target: 672 } });
let reward = 0;
const onResult = (result: BridgeCallResult) => {
  reward += result.reward ?? 0;
};

const result = await generateText({
  // A scripted model that needs no API key, in place of openai('gpt-...').
  model: scriptedModel([
    ['evaluate', { expression: '25 * 3 + 9' }],
    ['submit', { expression: '(25 * 3 + 9) * 8' }],
  ]),
  ...(await aiPrompt(session)),
  tools: await aiTools(session, { onResult }),
  stopWhen: [whenEpisodeOver(session), stepCountIs(20)],
});

// For environments that grade the final message; the episode is finished here, so nothing is submitted.
await submitFinalMessage(session, result, { onResult });

const { steps } = result;
assert.deepEqual([steps.length, session.finished, reward], [2, true, 1]);
assert.doesNotMatch(JSON.stringify(steps.map(({ request, response }) => [request, response.messages])), /reward/);
console.log(`ai-sdk: finished after ${steps.length} steps. Reward ${reward}.`);
