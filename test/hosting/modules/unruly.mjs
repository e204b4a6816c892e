import { appendFileSync, existsSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { defineEnvironment } from 'ors-kit';

/** Lets nothing else run in this thread for a while, at no cost of CPU. */
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const block = () => pause(Number.POSITIVE_INFINITY);

/** Whether a test has written the file beside the journal that `block` and `tell_all` wait for. */
const isOver = (journal) => existsSync(`${journal}-over`);

/** Notes what is done to an episode in the file that its secrets name: one line each, in their order. */
const note = (journal, line) => appendFileSync(journal, `${line}\n`);

/** What sessions of this worker brought, also those that are over. */
const seen = [];

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
      run: ({ sessionId, state }) => {
        note(state.journal, `block ${sessionId}`);
        while (!isOver(state.journal)) pause(10);
        return { text: 'It is over.' };
      },
    },
    grind: {
      description: 'Let nothing else run, with a time of its own.',
      timeoutMs: 60_000,
      run: ({ sessionId, state }) => {
        note(state.journal, `grind ${sessionId}`);
        block();
      },
    },
    spin: {
      description: 'Never end, and let nothing else run.',
      run: ({ sessionId, state }) => {
        note(state.journal, `spin ${sessionId}`);
        return block();
      },
    },
    whirl: {
      description: 'Compute for ever, with a time of its own that is soon over.',
      timeoutMs: 300,
      run: () => {
        for (;;);
      },
    },
    stall: {
      description: 'Let nothing else run, with a time of its own that is soon over.',
      timeoutMs: 300,
      run: () => block(),
    },
    wait: {
      description: 'Never end.',
      run: ({ sessionId, state }) => {
        note(state.journal, `wait ${sessionId}`);
        return new Promise(() => undefined);
      },
    },
    obey: {
      description: 'End when told to, which is when its time is over.',
      timeoutMs: 200,
      run: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'stopped' }))),
    },
    brief: {
      description: 'Never end, with a time of its own.',
      timeoutMs: 50,
      run: () => new Promise(() => {}),
    },
    throw_later: {
      description: 'Throw where nobody catches it.',
      run: () => {
        setTimeout(() => {
          throw new Error('thrown where nothing catches it');
        });
        return new Promise(() => undefined);
      },
    },
    tell_all: {
      description: 'Throw, once there is a file and where nobody catches it, an error that holds all secrets.',
      run: ({ state }) => {
        setInterval(() => {
          if (isOver(state.journal)) throw new Error(`thrown late: ${seen.join(' ')}`);
        }, 10);
        return { text: 'soon' };
      },
    },
    exit: { description: 'End the process.', run: () => process.exit(7) },
  },
  teardown: ({ sessionId, state }) => note(state.journal, `teardown ${sessionId}`),
  // `exit` and `spin` take the worker, `hang` never ends, `throw` fails.
  reap: (handle) => {
    const { name, sessionId, journal, reap } = handle;
    if (reap === 'exit') process.exit(7);
    if (reap === 'spin' && name === 'second') block();
    if (reap === 'hang') return new Promise(() => undefined);
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
