import { fileURLToPath } from 'node:url';
import { jsonSchema } from 'ors-kit';
import { fromMcp } from 'ors-kit/bridges/mcp';

/** The tools of an MCP server as an environment: bring its counter to a number, the fewer calls the better. */
export default fromMcp({
  name: 'counter',
  description: 'Bring the counter of an MCP server to a number.',
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
  prompt: ({ task, instructions }) => `${instructions} Bring it to ${task.target} in as few calls as you can.`,
  reward: ({ task, calls, output }) => {
    const [block] = output.blocks;
    const isThere = block?.type === 'text' && block.text === `The counter is ${task.target}.`;
    return isThere ? { reward: 1 / calls.length, finished: true } : 0;
  },
  maxReward: 1,
});
