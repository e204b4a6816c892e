import { defineEnvironment, jsonSchema } from 'ors-kit';
import { createSandbox, removeSandbox } from 'ors-kit/sandbox';

const sign = jsonSchema({
  type: 'object',
  properties: { sign: { type: 'string' } },
  required: ['sign'],
});

/** Environment whose tool runs a command in a sandbox, and then blocks its worker. JavaScript, because that starts faster. */
export default defineEnvironment({
  name: 'spinning',
  splits: { train: [{ n: 0 }] },
  setup: async ({ registerHandle, onCleanup }) => {
    const sandbox = await createSandbox();
    onCleanup(() => sandbox.remove());
    registerHandle(sandbox.handle);
    return { sandbox };
  },
  reap: removeSandbox,
  prompt: () => 'Spin.',
  tools: {
    handle: { description: 'Tell the handle.', run: ({ state }) => ({ text: JSON.stringify(state.sandbox.handle) }) },
    spin: {
      description: 'Run a command, and spin.',
      input: sign,
      run: async ({ input, state }) => {
        void state.sandbox.run(`setsid sleep ${input.sign} & sleep ${input.sign}`);
        await state.sandbox.run('true');
        // Blocks its thread like a loop, but without using the processor.
        for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      },
    },
  },
});
