import { ORS, type RunningCommand, startCommand } from '../support/command.ts';

/** Blocks its thread for ever like a loop, but without using the processor. */
export const BLOCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

/** An environment that can be waited for, that blocks, and that crashes. */
export const ENVIRONMENT = `
  import { defineEnvironment } from 'ors-kit';
  import { words } from './words.ts';

  console.log('loaded by process ' + process.pid);

  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => words,
    tools: {
      wait: {
        description: 'Wait for the end.',
        run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      block: { description: 'Never stop.', run: () => { console.log('blocking'); ${BLOCK}; } },
      crash: { description: 'Fail outside of every call.', run: () => { setImmediate(() => { throw new Error('loose end'); }); } },
    },
    teardown: () => console.log('torn down'),
  });
`;
export const words = (text: string, more = '') => `export const words = '${text}';\n${more}\n`;
export const files = { 'environment.ts': ENVIRONMENT, 'words.ts': words('first') };
/** The same in JavaScript, which loads faster. */
export const plain = { 'environment.mjs': ENVIRONMENT.replace('words.ts', 'words.mjs'), 'words.mjs': words('first') };

export interface Watching {
  readonly url: string;
  /** The process that runs the author's code. */
  readonly pid: number;
}

export const watch = (module: string): RunningCommand =>
  startCommand([...ORS, 'serve', module, '--watch', '--port', '0', '--log-level', 'silent']);

export async function serving(command: RunningCommand): Promise<Watching> {
  const [, pid] = await command.says(/loaded by process (\d+)/);
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  await command.says(/watching 2 files/);
  return { url, pid: Number(pid) };
}
