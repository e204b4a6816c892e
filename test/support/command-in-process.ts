import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import realProcess from 'node:process';
import { Readable, Writable } from 'node:stream';
import { type CommandOptions, type CommandResult, inheritedEnvironment } from './command.ts';

/** Thrown by `process.exit` of a command: what follows the call must not run. */
class Exit extends Error {}

type Process = NodeJS.Process;
const EMITTER = ['on', 'once', 'off', 'addListener', 'removeListener', 'emit', 'listenerCount'] as const;
/** Properties of the real process that commander reads, which does not use the global. */
const ROUTED = ['argv', 'env', 'exit', 'stdout', 'stderr'] as const;

const commands = new AsyncLocalStorage<Process>();
let running = 0;
let restore = () => {};
let runs = 0;

/**
 * Runs `ors` in this process, from the sources: the same main module, with its own `process` (arguments, environment,
 * streams, listeners, exit code). Takes a tenth of the time of a process. Not for signals, terminals, what a command
 * leaves running, and code of an environment that ends or blocks its process: those need `ors` of `command.ts`.
 */
export async function orsInProcess(
  args: readonly string[],
  { input = '', env }: CommandOptions = {},
): Promise<CommandResult> {
  const main = new URL(`../../src/cli/main.ts?run=${++runs}`, import.meta.url).href;
  const { own, result, end } = newProcess(args, input, { ...inheritedEnvironment, ...env });
  if (running++ === 0) restore = routeProcess();
  try {
    await commands.run(own, () => import(main));
    // Callbacks of streams run first.
    await new Promise(setImmediate);
    end();
    return await result;
  } finally {
    if (--running === 0) restore();
  }
}

function newProcess(args: readonly string[], input: string, env: Readonly<Record<string, string>>) {
  const output = { stdout: '', stderr: '' };
  const events = new EventEmitter();
  let isOver = false;
  let resolve: (result: CommandResult) => void = () => {};
  const result = new Promise<CommandResult>((settle) => {
    resolve = settle;
  });
  const end = () => {
    if (isOver) return;
    events.emit('exit', Number(own.exitCode ?? 0));
    isOver = true;
    resolve({ code: Number(own.exitCode ?? 0), ...output });
  };
  const captured = (name: keyof typeof output) =>
    new CapturedStream((text) => {
      if (!isOver) output[name] += text;
    });
  const exit = (code = own.exitCode) => {
    // A timer that calls it later finds the process gone.
    if (isOver) return;
    own.exitCode = code;
    end();
    throw new Exit(`process.exit(${code})`);
  };
  const own: Process = Object.create(realProcess, {
    argv: { value: [realProcess.execPath, 'ors', ...args] },
    env: { value: { ...env } },
    exitCode: { value: undefined, writable: true },
    exit: { value: exit },
    stdin: { value: Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }) },
    stdout: { value: captured('stdout') },
    stderr: { value: captured('stderr') },
    ...Object.fromEntries(EMITTER.map((name) => [name, { value: events[name].bind(events) }])),
  });
  return { own, result, end };
}

class CapturedStream extends Writable {
  readonly #add: (text: string) => void;

  constructor(add: (text: string) => void) {
    super({ decodeStrings: false });
    this.#add = add;
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    done();
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of Writable.write.
  override write(chunk: any, ...rest: any[]): boolean {
    const callback = rest.pop();
    if (typeof callback !== 'function') return super.write(chunk, callback);
    return super.write(chunk, rest[0], (error) => {
      try {
        callback(error);
      } catch (thrown) {
        if (!(thrown instanceof Exit)) throw thrown;
      }
    });
  }
}

/** While commands run, they see their own process, and everything else the real one. */
function routeProcess(): () => void {
  const replaced: [object, string, PropertyDescriptor | undefined][] = [];
  const replace = (target: object, name: string, get: () => unknown) => {
    replaced.push([target, name, Object.getOwnPropertyDescriptor(target, name)]);
    Object.defineProperty(target, name, { configurable: true, enumerable: true, get });
  };
  replace(globalThis, 'process', () => commands.getStore() ?? realProcess);
  for (const name of ROUTED) {
    const real = Object.getOwnPropertyDescriptor(realProcess, name);
    const read = () => (real?.get ? real.get.call(realProcess) : real?.value);
    replace(realProcess, name, () => commands.getStore()?.[name] ?? read());
  }
  return () => {
    for (const [target, name, descriptor] of replaced.reverse()) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
    }
  };
}
