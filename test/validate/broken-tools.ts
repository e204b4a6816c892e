import { jest } from '@jest/globals';
import { jsonSchema, ToolError } from 'ors-kit';
import type { Broken } from './broken.ts';
import { noInput, submit } from './twin.ts';

const withTool = (tool: object) => ({ tools: { submit, extra: { description: 'Something else.', ...tool } } });
const taking = (schema: object) => ({ input: jsonSchema<object>(schema), run: () => ({ text: 'Taken.' }) });
const described = { type: 'string', description: 'A text.' };
/** A tool whose limits are in its code. */
const acceptingOnly = (words: readonly string[], refusal: string) => ({
  input: jsonSchema<{ a: string }>({ type: 'object', properties: { a: described }, required: ['a'] }),
  run: ({ input }: { input: { a: string } }) => {
    if (!words.includes(input.a)) throw new ToolError(refusal);
    return { text: 'Taken.' };
  },
});
const named = (name: string) => ({ type: 'object', properties: { [name]: described } });
const nothingCallable = {
  solve: undefined,
  tools: {
    submit: {
      ...submit,
      input: jsonSchema({ type: 'object', properties: { a: { ...described, const: 5 } }, required: ['a'] }),
    },
  },
};

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Faults in tools and cleanup. */
export const brokenTools: readonly Broken[] = [
  {
    rule: 'tools-answer',
    level: 'error',
    why: 'a tool crashes',
    change: () =>
      withTool({
        run: () => {
          throw new Error('no such table');
        },
      }),
    good: () =>
      withTool({
        run: () => {
          throw new ToolError('no such table');
        },
      }),
    says: 'no such table',
  },
  {
    rule: 'tools-answer',
    level: 'error',
    why: 'a tool never returns',
    change: () => withTool({ run: ({ signal }: { signal: AbortSignal }) => untilAborted(signal) }),
    limits: { timeoutMs: 1_500, tasks: 1 },
    says: 'timed out',
  },
  {
    rule: 'refusals-explain',
    level: 'warning',
    why: 'a tool rejects without a reason',
    change: () =>
      withTool({
        run: () => {
          throw new ToolError('');
        },
      }),
    says: 'the tool gave no reason',
  },
  {
    rule: 'inputs-are-accepted',
    level: 'warning',
    why: 'a tool rejects every word, and nothing says which it accepts',
    change: () => withTool(acceptingOnly(['north', 'south'], 'This is not a direction.')),
    good: () => withTool(acceptingOnly(['north', 'south'], 'a must be one of: north, south')),
    says: "'extra' accepted none of",
  },
  {
    rule: 'inputs-are-accepted',
    level: 'error',
    why: 'no tool accepts anything',
    change: () => ({ solve: undefined, tools: { submit: { ...submit, ...acceptingOnly([], 'This is not a word.') } } }),
    says: "'submit' accepted none of",
  },
  {
    rule: 'tools-are-tried',
    level: 'note',
    why: 'no input matches a schema',
    change: () => withTool(taking({ type: 'object', properties: { a: { ...described, const: 5 } }, required: ['a'] })),
    good: () => withTool(taking({ type: 'object', properties: { a: described }, required: ['a'] })),
    says: "'extra'",
  },
  {
    rule: 'tool-names-for-models',
    level: 'warning',
    why: 'a name is too long',
    change: () => ({ tools: { submit, [`look_${'a'.repeat(64)}`]: noInput } }),
    good: () => ({ tools: { submit, [`look_${'a'.repeat(59)}`]: noInput } }),
    says: 'look_aaaa',
  },
  {
    rule: 'names-for-python',
    level: 'warning',
    why: 'a tool has a dash in its name',
    change: () => ({ tools: { submit, 'look-up': noInput } }),
    good: () => ({ tools: { submit, look_up: noInput } }),
    says: "'look-up'",
  },
  {
    rule: 'names-for-python',
    level: 'warning',
    why: 'a parameter is a Python keyword',
    change: () => withTool(taking(named('from'))),
    good: () => withTool(taking(named('from_'))),
    says: "'from' of 'extra'",
  },
  {
    rule: 'things-are-described',
    level: 'warning',
    why: 'a parameter is not described',
    change: () => withTool(taking({ type: 'object', properties: { a: { type: 'string' } } })),
    good: () => withTool(taking({ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: described } })),
    says: "'a'",
  },
  {
    rule: 'things-are-described',
    level: 'warning',
    why: 'a parameter behind a reference of the whole input is not described',
    change: () => withTool(taking({ $ref: '#/$defs/in', $defs: { in: { type: 'object', properties: { a: {} } } } })),
    good: () =>
      withTool(taking({ $ref: '#/$defs/in', $defs: { in: { type: 'object', properties: { a: described } } } })),
    says: "'a'",
  },
  {
    rule: 'schemas-are-strict',
    level: 'warning',
    why: 'a schema has a keyword that strict modes reject',
    change: () =>
      withTool(
        taking({ type: 'object', properties: { a: { ...described, oneOf: [{ minLength: 9 }, { maxLength: 8 }] } } }),
      ),
    good: () =>
      withTool(
        taking({ type: 'object', properties: { a: { ...described, anyOf: [{ minLength: 9 }, { maxLength: 8 }] } } }),
      ),
    says: '/properties/a/oneOf',
  },
  {
    rule: 'cleanup-succeeds',
    level: 'error',
    why: 'teardown fails',
    change: () => ({
      setup: () => ({}),
      teardown: () => {
        throw new Error('no such container');
      },
    }),
    good: () => ({ setup: () => ({}), teardown: () => undefined }),
    says: 'no such container',
  },
  {
    rule: 'cleanup-succeeds',
    level: 'error',
    why: 'a registered cleanup fails when setup is aborted',
    change: () => ({
      setup: async ({ onCleanup }: { onCleanup: (undo: () => void) => void }) => {
        let server: object | undefined;
        onCleanup(() => {
          if (!server) throw new Error('the server is missing');
        });
        await new Promise((resolve) => setImmediate(resolve));
        server = {};
      },
    }),
    says: 'deleted during setup',
  },
  {
    rule: 'step-time',
    level: 'note',
    why: 'a tool is slow',
    change: () => {
      let time = 0;
      jest.spyOn(performance, 'now').mockImplementation(() => time);
      return withTool({
        run: () => {
          time += 1_000;
          return { text: 'At last.' };
        },
      });
    },
    good: () => nothingCallable,
    says: 'extra({})',
  },
];
