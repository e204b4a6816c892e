/** The tools of the benchmarks for MCP servers. Their rewards are structured content, since MCP has none. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

export const inputs = {
  submit: z.object({ answer: z.string() }),
  wait: z.object({ seconds: z.number() }),
  big: z.object({ bytes: z.int() }),
};

const resultOf = (text: string, reward: number | null) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: { reward, finished: false },
});

export const run = {
  submit: () => resultOf('Correct!', 1),
  async wait({ seconds }: z.infer<typeof inputs.wait>) {
    await sleep(seconds * 1000);
    return resultOf('Waited.', null);
  },
  big: ({ bytes }: z.infer<typeof inputs.big>) => resultOf('x'.repeat(bytes), null),
};
