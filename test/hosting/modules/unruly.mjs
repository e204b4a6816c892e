import { appendFileSync, existsSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { defineEnvironment } from 'ors-kit';

/** Blocks this thread without using the CPU. */
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const block = () => pause(Number.POSITIVE_INFINITY);

/** Returns true once a test has written the file that `block` and `tell_all` wait for. */
const isOver = (journal) => existsSync(`${journal}-over`);

/** Appends an event of an episode as a line to the file that its secrets name. */
const note = (journal, line) => appendFileSync(journal, `${line}\n`);

/** Secrets of all sessions of this worker, including those that have ended. */
const seen = [];

/** An environment whose tools misbehave. */
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
    thread: { description: 'Return the thread id.', run: () => ({ text: `${threadId}` }) },
    block: {
      description: 'Block the thread until a file exists.',
      run: ({ sessionId, state }) => {
        note(state.journal, `block ${sessionId}`);
        while (!isOver(state.journal)) pause(10);
        return { text: 'It is over.' };
      },
    },
    grind: {
      description: 'Block the thread, with a separate time limit.',
      timeoutMs: 60_000,
      run: ({ sessionId, state }) => {
        note(state.journal, `grind ${sessionId}`);
        block();
      },
    },
    spin: {
      description: 'Block the thread for ever.',
      run: ({ sessionId, state }) => {
        note(state.journal, `spin ${sessionId}`);
        return block();
      },
    },
    whirl: {
      description: 'Compute for ever, with a short time limit.',
      timeoutMs: 300,
      run: () => {
        for (;;);
      },
    },
    stall: {
      description: 'Block the thread, with a short time limit.',
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
      description: 'End on the abort signal, at a short time limit.',
      timeoutMs: 200,
      run: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'stopped' }))),
    },
    brief: {
      description: 'Never end, with a short time limit.',
      timeoutMs: 50,
      run: () => new Promise(() => {}),
    },
    throw_later: {
      description: 'Throw an uncaught error.',
      run: () => {
        setTimeout(() => {
          throw new Error('thrown where nothing catches it');
        });
        return new Promise(() => undefined);
      },
    },
    tell_all: {
      description: 'Throw an uncaught error that contains all secrets, once a file exists.',
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
  // `exit` and `spin` end the worker, `hang` never ends, `throw` fails.
  reap: (handle) => {
    const { name, sessionId, journal, reap } = handle;
    if (reap === 'exit') process.exit(7);
    if (reap === 'spin' && name === 'second') block();
    if (reap === 'hang') return new Promise(() => undefined);
    if (reap === 'throw') throw new Error(`no ${name}`);
    return note(journal, `reap ${name} of ${sessionId} in thread ${threadId}`);
  },
});

/** A second environment of the same module. */
export const calm = defineEnvironment({
  name: 'calm',
  splits: { train: [{ n: 0 }] },
  prompt: () => 'Be calm.',
  tools: { count: { description: 'Count.', run: () => ({ text: '1' }) } },
});
