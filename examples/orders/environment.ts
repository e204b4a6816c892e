import { defineEnvironment, ToolError, text } from 'ors-kit';
import { z } from 'zod';

/**
 * Customers ask where their order is. The agent continues a conversation (`messages`), and its final message is the
 * response to the customer, which a terminal tool grades.
 */
export default defineEnvironment({
  name: 'orders',
  description: 'Questions of customers about their orders.',

  splits: {
    test: [
      { order: 'A-7', status: 'delayed', place: 'Lima' },
      { order: 'B-2', status: 'delivered', place: 'Oslo' },
      { order: 'C-9', status: 'packed', place: 'Accra' },
    ],
  },
  task: z.object({ order: z.string(), status: z.string(), place: z.string() }),
  publicTask: ({ order }) => ({ order }),

  messages: ({ task }) => [
    {
      role: 'system',
      blocks: [
        text('You respond to customers of a shop. Look up the order, then respond with its status and its place.'),
      ],
    },
    { role: 'user', blocks: [text('Hello, is anyone there?')] },
    { role: 'assistant', blocks: [text('Yes. Which order is it about?')] },
    { role: 'user', blocks: [text(`${task.order}. Where is it?`)] },
  ],

  tools: {
    lookup: {
      description: 'Look up an order.',
      input: z.object({ order: z.string().describe('Number of the order, such as A-1') }),
      run: ({ input, task }) => {
        if (input.order !== task.order) throw new ToolError(`there is no order ${input.order}`);
        return { text: `${task.status} in ${task.place}` };
      },
    },
    respond: {
      description: 'Grades the response to the customer: half of the reward for the status, half for the place.',
      input: z.object({ response: z.string() }),
      terminal: true,
      run: ({ input, task }) => {
        const named = [task.status, task.place].filter((fact) =>
          input.response.toLowerCase().includes(fact.toLowerCase()),
        );
        return { text: `The response names ${named.length} of 2 facts.`, reward: named.length / 2, finished: true };
      },
    },
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    const { text: facts } = await call('lookup', { order: task.order });
    await call('respond', { response: `Your order is ${facts}.` });
  },
});
