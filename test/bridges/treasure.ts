import { defineEnvironment, image, jsonSchema, ToolError, text } from 'ors-kit';
import type { BridgeCallResult } from 'ors-kit/bridges/ai';
import { OrsClient, type Session } from 'ors-kit/client';
import { start } from '../support/client.ts';

/** Markers in everything that a model must not see. */
export const CANARIES = /canary|0\.8125|0\.1875/;

/** One pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Environment with images, rewards that models must not see, and a tool whose name some providers reject. */
export const treasure = defineEnvironment({
  name: 'treasure',
  splits: { train: [{ spot: 3 }, { spot: 5 }] },
  prompt: () => [text('Find the treasure.', { canary: 'prompt' }), image(PIXEL)],
  tools: {
    look: {
      description: 'Look at the map.',
      run: () => ({
        blocks: [text('A map.', { canary: 'detail' }), image(PIXEL, 'image/png', { canary: 'detail' })],
        reward: 0.1875,
        metadata: { canary: 'metadata' },
      }),
    },
    'island.dig': {
      description: 'Dig at a spot.',
      input: jsonSchema<{ spot: number }>({
        type: 'object',
        properties: { spot: { type: 'integer' } },
        required: ['spot'],
      }),
      run: ({ input, task }) => {
        if (input.spot < 0) throw new ToolError('there is only water');
        if (input.spot > 100) throw new Error('the shovel is broken');
        if (input.spot !== task.spot) return { text: 'Sand.' };
        return { text: 'Gold!', reward: 0.8125, finished: true, metadata: { canary: 'metadata' } };
      },
    },
  },
});

/** Opens an episode on a server; records the rewards that the bridge reports, and counts the server's sessions. */
export async function openTreasure() {
  const server = await start(treasure);
  const client = new OrsClient(server.url);
  const results: BridgeCallResult[] = [];
  const session: Session = await client.environment('treasure').session({ split: 'train', index: 0 });
  return {
    server,
    client,
    session,
    results,
    onResult: (result: BridgeCallResult) => void results.push(result),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await client.close();
      await server.close();
    },
  };
}

/** Returns tool, success and reward of each call. */
export const inShort = ({ tool, ok, reward }: Pick<BridgeCallResult, 'tool' | 'ok' | 'reward'>) => [tool, ok, reward];
