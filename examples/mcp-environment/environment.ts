import { fileURLToPath } from 'node:url';
import { jsonSchema } from 'ors-kit';
import { fromMcp } from 'ors-kit/bridges/mcp';

/** An environment with the tools of an MCP server: set its counter to a number with as few calls as possible. */
export default fromMcp({
  name: 'counter',
  description: 'Set the counter of an MCP server to a number.',
  connect: {
    command: process.execPath,
    args: ['--import', 'tsx', fileURLToPath(new URL('./server.ts', import.meta.url))],
  },
  splits: { train: [{ target: 12 }, { target: 20 }], test: [{ target: 16 }] },
  task: jsonSchema<{ target: number }>({
    type: 'object',
    properties: { target: { type: 'integer' } },
    required: ['target'],
  }),
  prompt: ({ task, instructions }) => `${instructions} Set it to ${task.target} with as few calls as possible.`,
  reward: ({ task, calls, output }) => {
    const [block] = output.blocks;
    const isReached = block?.type === 'text' && block.text === `The counter is ${task.target}.`;
    return isReached ? { reward: 1 / calls.length, finished: true } : 0;
  },
  maxReward: 1,
});
