import assert from 'node:assert/strict';
import { play, ToolCallError } from 'ors-kit/testing';
import environment from './environment.ts';

await using episode = await play(environment, { split: 'test', index: 0 });
const [prompt] = episode.prompt;
assert(prompt?.type === 'text' && /^A counter that starts at 0\. Set it to 16/.test(prompt.text));
assert.deepEqual(episode.tools.map(({ name }) => name).sort(), ['add', 'double']);

await assert.rejects(
  episode.call('add', { amount: 16 }),
  ToolCallError,
  'the input schema of the MCP server must apply',
);
const added = await episode.call('add', { amount: 8 });
assert.deepEqual([added.text, added.reward, added.finished], ['The counter is 8.', 0, false]);
const doubled = await episode.call('double');
assert.deepEqual([doubled.reward, doubled.finished], [0.5, true]);
console.log(`mcp-environment: ${doubled.text} Reward ${doubled.reward}.`);
