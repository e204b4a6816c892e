import { expect, test } from '@jest/globals';
import { type } from 'arktype';
import { expectTypeOf } from 'expect-type';
import { defineEnvironment, defineTool, jsonSchema, type RunContext, ToolError } from 'ors-kit';
import { z } from 'zod';

test('infers the types of task, state and input from the definition', () => {
  const shared = {
    read: defineTool({
      description: 'Read.',
      input: z.object({ path: z.string() }),
      run: ({ input }) => {
        expectTypeOf(input).toEqualTypeOf<{ path: string }>();
        return { text: input.path };
      },
    }),
  };

  const environment = defineEnvironment({
    name: 'typed',
    task: z.object({ target: z.number(), solution: z.string() }),
    splits: {
      train: [{ target: 1, solution: '1' }],
      test: async () => [{ target: 1, solution: '1' }],
      hard: { count: 10, get: (index) => ({ target: index, solution: '' }) },
      easy: { type: 'train', tasks: [{ target: 1, solution: '1' }] },
    },
    setup: async ({ task, secrets, signal, onCleanup }) => {
      expectTypeOf(task).toEqualTypeOf<{ target: number; solution: string }>();
      expectTypeOf(secrets).toEqualTypeOf<Readonly<Record<string, string>>>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      onCleanup(async () => {});
      return { attempts: 0 };
    },
    prompt: ({ task, state }) => `${task.target.toFixed()} ${state.attempts.toFixed()}`,
    tools: {
      ...shared,
      submit: {
        description: 'Submit.',
        input: z.object({ expression: z.string(), times: z.int().default(1) }),
        run: async ({ input, task, state, signal }) => {
          expectTypeOf(input).toEqualTypeOf<{ expression: string; times: number }>();
          expectTypeOf(task).toEqualTypeOf<{ target: number; solution: string }>();
          expectTypeOf(state).toEqualTypeOf<{ attempts: number }>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
          if (state.attempts++ > 3) throw new ToolError('enough');
          return { text: '', reward: 1, finished: true };
        },
      },
      ark: {
        description: 'With arktype.',
        input: type({ count: 'number' }),
        run: ({ input }) => {
          expectTypeOf(input).toEqualTypeOf<{ count: number }>();
          return { blocks: [{ type: 'text', text: '' }] };
        },
      },
      plain: {
        description: 'With JSON Schema.',
        input: jsonSchema<{ name: string }>({ type: 'object' }),
        run: ({ input }) => {
          expectTypeOf(input).toEqualTypeOf<{ name: string }>();
          return { text: input.name };
        },
      },
      nothing: {
        description: 'Without parameters.',
        run: ({ input }) => {
          expectTypeOf(input).toEqualTypeOf<Record<string, never>>();
          return { text: '' };
        },
      },
    },
    taskTools: ({ task, state }) => ({
      hint: defineTool({
        description: 'A hint.',
        input: z.object({ much: z.boolean() }),
        run: ({ input, state: same }) => {
          expectTypeOf(input).toEqualTypeOf<{ much: boolean }>();
          expectTypeOf(same).toEqualTypeOf<{ attempts: number }>();
          return { text: `${task.solution}${state.attempts}` };
        },
      }),
    }),
    messages: ({ task, state }) => {
      expectTypeOf(state).toEqualTypeOf<{ attempts: number }>();
      return [
        { role: 'system', blocks: [{ type: 'text', text: task.solution }] },
        { role: 'assistant', blocks: [{ type: 'tool_call', id: 'c', name: 'read', input: { path: 'a' } }] },
        { role: 'user', blocks: [{ type: 'tool_result', tool_call_id: 'c', blocks: [] }] },
      ];
    },
    scoreGroup: ({ candidates, task, state, secrets, signal }) => {
      expectTypeOf(task).toEqualTypeOf<{ target: number; solution: string }>();
      expectTypeOf(state).toEqualTypeOf<{ attempts: number }>();
      expectTypeOf(secrets).toEqualTypeOf<Readonly<Record<string, string>>>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      return candidates.map(({ messages }, index) =>
        index === 0 ? messages.length : { reward: 1, metadata: { a: 1 } },
      );
    },
    toolsets: {
      agent: {
        ...shared,
        grade: defineTool({
          description: 'Grade.',
          input: z.object({ text: z.string() }),
          terminal: true,
          run: ({ input, task, state }: RunContext<{ text: string }, { target: number }, { attempts: number }>) => ({
            text: input.text,
            reward: task.target + state.attempts,
          }),
        }),
      },
    },
    secrets: ['API_KEY'],
    publicTask: ({ solution, ...shown }) => shown,
    resolveTask: (shown) => {
      expectTypeOf(shown).toEqualTypeOf<{ target: number }>();
      return { ...shown, solution: shown.target.toFixed() };
    },
    solve: async ({ task, call }) => {
      const output = await call('submit', { expression: task.solution });
      expectTypeOf(output.reward).toEqualTypeOf<number | null>();
      expectTypeOf(output.text).toEqualTypeOf<string>();
    },
    teardown: ({ state }) => void state.attempts.toFixed(),
  });

  expect(environment.name).toBe('typed');
});

test('reports mistakes as compile errors at their place', () => {
  const base = { name: 'wrong', splits: { train: [{}] }, prompt: () => '' };
  const tools = { a: { description: 'A.', run: () => ({ text: '' }) } };

  // @ts-expect-error a result has text or blocks
  defineEnvironment({ ...base, tools: { a: { description: 'A.', run: () => ({ txt: '' }) } } });
  // @ts-expect-error a reward is a number
  defineEnvironment({ ...base, tools: { a: { description: 'A.', run: () => ({ text: '', reward: '1' }) } } });
  const misplaced = [{ type: 'tool_call', id: '', name: '', input: {} } as const];
  // @ts-expect-error a message of the system has no tool calls
  defineEnvironment({ ...base, messages: () => [{ role: 'system', blocks: misplaced }], tools });
  // @ts-expect-error a score is a number, or has a reward
  defineEnvironment({ ...base, scoreGroup: () => ['1'], tools });
  // @ts-expect-error a block is text or image
  defineTool({ description: 'A.', run: () => ({ blocks: [{ type: 'video' }] }) });
  expect(() =>
    // @ts-expect-error a tool has a description
    defineEnvironment({ ...base, tools: { a: { run: () => ({ text: '' }) } } }),
  ).toThrow('the description is empty');
  defineEnvironment({
    ...base,
    task: z.object({ n: z.number() }),
    // @ts-expect-error tasks have the shape of the schema
    splits: { train: [{ n: '1' }] },
    tools: { a: { description: 'A.', run: () => ({ text: '' }) } },
  });
});
