import { appendFileSync, existsSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { defineEnvironment, jsonSchema } from 'ors-kit';

const milliseconds = jsonSchema<{ ms: number }>({
  type: 'object',
  properties: { ms: { type: 'integer', minimum: 0 } },
  required: ['ms'],
});
const file = jsonSchema<{ until: string }>({
  type: 'object',
  properties: { until: { type: 'string' } },
  required: ['until'],
});

const block = () => {
  for (;;);
};

/** Notes what is done to an episode in the file that its secrets name: one line each, in their order. */
const note = (journal: string, line: string) => appendFileSync(journal, `${line}\n`);

interface Handle {
  readonly name: string;
  readonly sessionId: string;
  readonly journal: string;
  /** How its clean-up goes: `exit` and `spin` take the worker, `hang` never ends, `throw` fails. */
  readonly reap: string | undefined;
}

/** What sessions of this worker brought, also those that are over. */
const seen: string[] = [];

/** An environment whose tools do what no tool should. */
export default defineEnvironment({
  name: 'unruly',
  splits: { train: [{ n: 0 }, { n: 1 }] },
  async setup({ secrets, signal, sessionId, registerHandle, onCleanup }) {
    const { journal = '', setup } = secrets;
    seen.push(...Object.values(secrets));
    const { reap } = secrets;
    for (const name of ['first', 'second']) registerHandle({ name, sessionId, journal, ...(reap && { reap }) });
    onCleanup(() => note(journal, `cleanup ${sessionId}`));
    signal.addEventListener('abort', () => note(journal, `aborted ${sessionId}`));
    if (setup === 'spin') block();
    return { count: 0, journal };
  },
  prompt: ({ task }) => `Task ${task.n}.`,
  tools: {
    count: { description: 'Count.', run: ({ state }) => ({ text: `${++state.count}` }) },
    thread: { description: 'Tell the thread.', run: () => ({ text: `${threadId}` }) },
    block: {
      description: 'Let nothing else run until there is a file.',
      input: file,
      run: ({ input, sessionId, state }) => {
        note(state.journal, `block ${sessionId}`);
        while (!existsSync(input.until));
        return { text: 'It is over.' };
      },
    },
    grind: {
      description: 'Let nothing else run, with a time of its own.',
      timeoutMs: 60_000,
      run: () => block() as never,
    },
    spin: {
      description: 'Never end, and let nothing else run.',
      run: ({ sessionId, state }) => {
        note(state.journal, `spin ${sessionId}`);
        return block() as never;
      },
    },
    whirl: {
      description: 'Never end, and let nothing else run, with a time of its own that is soon over.',
      timeoutMs: 1_000,
      run: () => block() as never,
    },
    wait: {
      description: 'Never end.',
      run: ({ sessionId, state }) => {
        note(state.journal, `wait ${sessionId}`);
        return new Promise<never>(() => undefined);
      },
    },
    obey: {
      description: 'End when told to, which is when its time is over.',
      timeoutMs: 1_000,
      run: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'stopped' }))),
    },
    brief: {
      description: 'Never end, with a time of its own.',
      timeoutMs: 50,
      run: () => new Promise<never>(() => {}),
    },
    throw_later: {
      description: 'Throw where nobody catches it.',
      run: () => {
        setTimeout(() => {
          throw new Error('thrown where nothing catches it');
        });
        return new Promise<never>(() => undefined);
      },
    },
    tell_all: {
      description: 'Throw, after a while and where nobody catches it, an error that holds all secrets.',
      input: milliseconds,
      run: ({ input }) => {
        setTimeout(() => {
          throw new Error(`thrown late: ${seen.join(' ')}`);
        }, input.ms);
        return { text: 'soon' };
      },
    },
    exit: { description: 'End the process.', run: () => process.exit(7) },
  },
  teardown: ({ sessionId, state }) => note(state.journal, `teardown ${sessionId}`),
  reap: (handle) => {
    const { name, sessionId, journal, reap } = handle as unknown as Handle;
    if (reap === 'exit') process.exit(7);
    if (reap === 'spin' && name === 'second') block();
    if (reap === 'hang') return new Promise<never>(() => undefined);
    if (reap === 'throw') throw new Error(`no ${name}`);
    return note(journal, `reap ${name} of ${sessionId} in thread ${threadId}`);
  },
});

/** Another one, of the same module. */
export const calm = defineEnvironment({
  name: 'calm',
  splits: { train: [{ n: 0 }] },
  prompt: () => 'Be calm.',
  tools: { count: { description: 'Count.', run: () => ({ text: '1' }) } },
});
