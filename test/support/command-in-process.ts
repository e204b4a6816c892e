import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import realProcess from 'node:process';
import { Readable, Writable } from 'node:stream';
import { type CommandOptions, type CommandResult, inheritedEnvironment } from './command.ts';

/** Thrown by `process.exit` of a command, so that no code after the call runs. */
class Exit extends Error {}

type Process = NodeJS.Process;
const EMITTER = ['on', 'once', 'off', 'addListener', 'removeListener', 'emit', 'listenerCount'] as const;
/** Properties of the real process that commander reads; it does not use the global. */
const ROUTED = ['argv', 'env', 'exit', 'stdout', 'stderr'] as const;

const commands = new AsyncLocalStorage<Process>();
/** Timeout of a command. */
const DEADLINE_MS = 45_000;

let runs = 0;

/**
 * Runs `ors` in this process, from the sources: the same main module, with its own `process` (arguments, environment,
 * streams, listeners, exit code). Takes a tenth of the time of a process. Use `ors` of `command.ts` to test signals,
 * terminals, resources that a command leaves open, and environments that end or block their process.
 */
export async function orsInProcess(
  args: readonly string[],
  { input = '', env }: CommandOptions = {},
): Promise<CommandResult> {
  if (runs === 0) routeProcess();
  const main = new URL(`../../src/cli/main.ts?run=${++runs}`, import.meta.url).href;
  const { own, output, result, end } = newProcess(args, input, { ...inheritedEnvironment, ...env });
  const run = async () => {
    await commands.run(own, () => import(main));
    // Lets callbacks of streams run first.
    await new Promise(setImmediate);
    end();
    return await result;
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`ors ${args.join(' ')} has not ended: ${JSON.stringify(output)}`));
    timer = setTimeout(fail, DEADLINE_MS);
  });
  return await Promise.race([run(), result, late]).finally(() => clearTimeout(timer));
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
    // Called by a timer after the end of the command.
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
  return { own, output, result, end };
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

/**
 * Makes the code of a command see its own process, and all other code the real one. This is permanent, since a command may
 * leave a timer that ends its process later.
 */
function routeProcess(): void {
  const route = (target: object, name: string, ofCommand: (own: Process) => unknown) => {
    const { get, value } = Object.getOwnPropertyDescriptor(target, name) ?? {};
    let real = value;
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const own = commands.getStore();
        return own ? ofCommand(own) : get ? get.call(target) : real;
      },
      set: (replacement) => {
        real = replacement;
      },
    });
  };
  route(globalThis, 'process', (own) => own);
  for (const name of ROUTED) route(realProcess, name, (own) => own[name]);
}
