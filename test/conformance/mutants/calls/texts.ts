import type { Mutant } from '../mutant.ts';
import { changedBlocks, changedOutputs, endingIn, inputOf } from './of-calls.ts';

/** Without members of objects that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutNulls(each)]));
}

export const textMutants: readonly Mutant[] = [
  {
    name: 'a text ends at U+0000',
    caughtBy: ['call/odd-text'],
    wire: () => ({
      frames: changedBlocks('odd_text', (blocks) =>
        blocks.map((block) => ({ ...block, text: String(block.text).split('\0')[0] })),
      ),
    }),
  },
  {
    name: 'a lone surrogate breaks the JSON',
    caughtBy: ['call/odd-text', 'call/valid-inputs'],
    wire: () => ({
      frames: endingIn('odd_text', (call) =>
        inputOf(call).kind === 'surrogate'
          ? 'event: end\ndata: {"ok":true,"output":{"blocks":[{"text":"a\n\n'
          : undefined,
      ),
    }),
  },
  {
    name: 'members of metadata that are null are left out',
    caughtBy: ['type/any-json'],
    wire: () => ({
      frames: changedOutputs('echo', (output) => ({ ...output, metadata: withoutNulls(output.metadata) })),
    }),
  },
  {
    name: 'a task loses the fields that its environment does not declare',
    caughtBy: ['type/any-json'],
    wire: () => ({
      frames: changedOutputs('show_task', (output) => {
        const { any: _, ...task } = (output.metadata as { task: Record<string, unknown> }).task;
        return { ...output, metadata: { task } };
      }),
    }),
  },
];
