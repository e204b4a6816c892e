import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import realProcess from 'node:process';
import { Readable, Writable } from 'node:stream';
import {
  type CommandOptions,
  CommandOutput,
  type CommandResult,
  inheritedEnvironment,
  type RunningCommand,
} from './command.ts';

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

/** Command that runs in this process. It is interrupted at the end of the test unless it has ended. */
export interface InProcessCommand extends Pick<RunningCommand, 'said' | 'says' | 'result'>, AsyncDisposable {
  /** Calls the listeners of the command for a signal. */
  readonly signal: (name: NodeJS.Signals) => void;
}

/**
 * Runs `ors` in this process, from the sources: the same main module, with its own `process` (arguments, environment,
 * streams, listeners, exit code). Takes a tenth of the time of a process. Use `ors` of `command.ts` to test signals,
 * terminals, resources that a command leaves open, and environments that end or block their process.
 */
export async function orsInProcess(
  args: readonly string[],
  { input = '', env }: CommandOptions = {},
): Promise<CommandResult> {
  const { output, result } = run(args, input, env);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`ors ${args.join(' ')} has not ended: ${JSON.stringify(output.texts)}`));
    timer = setTimeout(fail, DEADLINE_MS);
  });
  return await Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/**
 * Starts `ors` in this process as `orsInProcess` does. Log lines of a server go to the standard error of this process:
 * pass `--log-level silent`.
 */
export function startInProcess(args: readonly string[], { input = '', env }: CommandOptions = {}): InProcessCommand {
  const { own, output, result, events } = run(args, input, env);
  let isOver = false;
  const over = result.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  const signal = (name: NodeJS.Signals) => commands.run(own, () => void events.emit(name, name));
  return {
    signal,
    said: () => output.said,
    says: (pattern) => output.says(pattern, result),
    result,
    async [Symbol.asyncDispose]() {
      if (!isOver) signal('SIGINT');
      await over;
    },
  };
}

function run(args: readonly string[], input: string, env: CommandOptions['env']) {
  if (runs === 0) routeProcess();
  const main = new URL(`../../src/cli/main.ts?run=${++runs}`, import.meta.url).href;
  const { end, ended, ...started } = newProcess(args, input, { ...inheritedEnvironment, ...env });
  const runMain = async () => {
    await commands.run(started.own, () => import(main));
    // Lets callbacks of streams run first.
    await new Promise(setImmediate);
    end();
    return await ended;
  };
  return { ...started, result: Promise.race([runMain(), ended]) };
}

function newProcess(args: readonly string[], input: string, env: Readonly<Record<string, string>>) {
  const output = new CommandOutput();
  const chunks = input === '' ? [] : [Buffer.from(input)];
  // Modules are never freed, and the one of the command refers to its `process`: what is large is let go at the end.
  let running: CommandOutput | undefined = output;
  const events = new EventEmitter();
  let resolve: (result: CommandResult) => void = () => {};
  const ended = new Promise<CommandResult>((settle) => {
    resolve = settle;
  });
  const end = () => {
    if (!running) return;
    events.emit('exit', Number(own.exitCode ?? 0));
    resolve({ code: Number(own.exitCode ?? 0), ...running.texts });
    resolve = () => {};
    running = undefined;
    chunks.length = 0;
  };
  const captured = (name: 'stdout' | 'stderr') => new CapturedStream((text) => running?.add(name, text));
  const exit = (code = own.exitCode) => {
    // Called by a timer after the end of the command.
    if (!running) return;
    own.exitCode = code;
    end();
    throw new Exit(`process.exit(${code})`);
  };
  const own: Process = Object.create(realProcess, {
    argv: { value: [realProcess.execPath, 'ors', ...args] },
    // The channel to the process of Jest.
    connected: { value: false },
    env: { value: { ...env } },
    exitCode: { value: undefined, writable: true },
    exit: { value: exit },
    stdin: { value: Readable.from(chunks, { objectMode: false }) },
    stdout: { value: captured('stdout') },
    stderr: { value: captured('stderr') },
    ...Object.fromEntries(EMITTER.map((name) => [name, { value: events[name].bind(events) }])),
  });
  return { own, output, events, ended, end };
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
