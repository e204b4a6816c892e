import { defineEnvironment, defineTool, jsonSchema } from 'ors-kit';

const integer = (name) =>
  jsonSchema({ type: 'object', properties: { [name]: { type: 'integer', minimum: 0 } }, required: [name] });

export default defineEnvironment({
  name: 'target',
  splits: { train: [{ n: 1 }] },
  prompt: () => 'Stand firm.',
  tools: {
    echo: defineTool({
      description: 'Returns text.',
      input: integer('size'),
      run: ({ input }) => ({ text: 'x'.repeat(input.size) }),
    }),
    sleep: defineTool({
      description: 'Waits.',
      input: integer('ms'),
      run: ({ input, signal }) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve({ text: 'slept' }), input.ms);
          signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve({ text: 'aborted' });
          });
        }),
    }),
  },
});
