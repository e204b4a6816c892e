/** Serves an episode of countdown as an MCP server, and plays it with the client of the MCP SDK. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type RewardRow, serveMcpHttp } from 'ors-kit/bridges/mcp';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import countdown from '../countdown/environment.ts';

await using server = await serve([countdown], { port: 0, log: pino({ level: 'silent' }) });
await using ors = new OrsClient(server.url);
const rewards: RewardRow[] = [];
// Equivalent command: ors mcp <url> --env countdown --task '{"numbers":[25,3,9,8],"target":672}' --http --rewards rewards.jsonl
await using mcp = await serveMcpHttp(
  () => ors.environment('countdown').session({ task: { numbers: [25, 3, 9, 8], target: 672 } }),
  { port: 0, onReward: (row) => rewards.push(row) },
);

const client = new Client({ name: 'player', version: '1' });
const transport = new StreamableHTTPClientTransport(new URL(mcp.url));
// The class and the interface of the transport differ in their optional properties.
await client.connect(transport as never);
assert.match(client.getInstructions() ?? '', /^Reach 672 with the numbers 25, 3, 9, 8\./);
const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  ['evaluate', 'submit'],
);
const tried = await client.callTool({ name: 'evaluate', arguments: { expression: '25 * 3 * 9 - 3' } });
assert.equal(tried.isError, true, 'a number that is used twice must be rejected');
const answer = await client.callTool({ name: 'submit', arguments: { expression: '(25 * 3 + 9) * 8' } });
assert.doesNotMatch(JSON.stringify(answer), /reward/, 'the agent must not see the reward');
await transport.terminateSession();
await client.close();

const total = rewards.at(-1);
assert.deepEqual([total?.type, total?.reward, total?.finished], ['episode', 1, true]);
console.log(`mcp: ${JSON.stringify(answer.content)}; reward ${total?.reward}.`);
