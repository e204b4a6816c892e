const asyncHooks = require('node:async_hooks');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const GLOBALS = pathToFileURL(join(__dirname, 'globals.mjs')).href;
/** Symbol under which `jest.setTimeout` passes its value to jest-circus. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** Descriptions of the symbols under which jest-circus keeps its state. */
const CIRCUS_STATE = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];
/** Descriptor of a property that is not a getter. */
const FIELD = { configurable: true, enumerable: true, writable: true };
/** Timers that are never faked, since sockets of this process need them. */
const REAL_TIMERS = ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'];
/** Jest sets 100, which makes every error slow. */
const STACK_FRAMES = 20;

/**
 * Replaces the AsyncLocalStorage in which jest-circus keeps the test that runs, to which it assigns errors that nothing
 * catches. AsyncLocalStorage makes every promise of the process slower, and whatever a suite leaves to packages (such as
 * timers of undici) would keep the whole suite in memory.
 */
class RunningTests {
  #stores = [];

  run(store, callback) {
    this.#stores.push(store);
    const remove = () => {
      this.#stores = this.#stores.filter((each) => each !== store);
    };
    try {
      return Promise.resolve(callback()).finally(remove);
    } catch (error) {
      remove();
      throw error;
    }
  }

  /** Returns undefined while concurrent tests run: an error of any of them then fails their suite. */
  getStore() {
    const last = this.#stores.at(-1);
    return this.#stores.every(({ test }) => test === last.test) ? last : undefined;
  }
}

let registered;

/** Lets Node import TypeScript, and `ors-kit` from the sources. */
async function registerTypeScript() {
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(__dirname, 'tsconfig.json') });
  process.setSourceMapsEnabled(true);
  // Mapping every stack that the product reads would be slow; the environment maps only those of failures.
  Error.prepareStackTrace = (error, calls) => [titleOf(error), ...calls].join('\n    at ');
}

/** Returns the first line of a stack in the format of Node. */
function titleOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

/** Gives packages real timers: sockets that an earlier suite has left to undici start some at any time. */
function keepTimersOfPackages(setTimeout) {
  const fake = globalThis.setTimeout;
  globalThis.setTimeout = function setFakeTimeout(...args) {
    return isCalledByPackage(setFakeTimeout) ? setTimeout(...args) : fake(...args);
  };
}

function isCalledByPackage(callee) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const place = {};
  Error.prepareStackTrace = (_error, [caller]) => caller?.getFileName() ?? '';
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(place, callee);
  const file = place.stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return file.includes('/node_modules/');
}

/**
 * Replaces Jest's module system by Node's: a suite is imported like any program, in the process of the worker. Modules
 * are loaded once per worker instead of once per suite. `jest.mock` is not available, and a suite that runs twice in one
 * worker (`--watch` with `--runInBand`) is not loaded again.
 */
module.exports = class NodeRuntime {
  #environment;
  #globals;
  #setTimeout = globalThis.setTimeout;

  constructor(_config, environment) {
    this.#environment = environment;
  }

  /** Loads jest-circus with new state for each suite, and releases the tests and listeners of the previous one. */
  requireInternalModule(file) {
    delete require.cache[file];
    module.children = [];
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (CIRCUS_STATE.includes(key.description)) delete globalThis[key];
    }
    // Defined instead of assigned: it is a getter in some versions of Node.
    const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { ...FIELD, value: RunningTests });
    try {
      return require(file);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original);
    }
  }

  requireModule(file) {
    return require(file);
  }

  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    const jest = {
      fn: (implementation) => moduleMocker.fn(implementation),
      spyOn: (...args) => moduleMocker.spyOn(...args),
      restoreAllMocks: () => moduleMocker.restoreAllMocks(),
      useFakeTimers: (options) => {
        fakeTimersModern.useFakeTimers({ doNotFake: REAL_TIMERS, ...options });
        keepTimersOfPackages(this.#setTimeout);
      },
      useRealTimers: () => fakeTimersModern.useRealTimers(),
      advanceTimersByTime: (ms) => fakeTimersModern.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
      getTimerCount: () => fakeTimersModern.getTimerCount(),
      setTimeout: (ms) => {
        globalThis[TIMEOUT] = ms;
      },
    };
    this.#globals = { ...globals, jest };
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(file) {
    registered ??= registerTypeScript();
    await registered;
    delete globalThis[TIMEOUT];
    Error.stackTraceLimit = STACK_FRAMES;
    (await import(GLOBALS)).setGlobals(this.#globals);
    try {
      await import(pathToFileURL(file).href);
    } catch (error) {
      this.#environment.mapStacks(error);
      throw error;
    }
  }

  /** Releases the suite: stacks of errors that outlive it refer to this object. */
  teardown() {
    this.#environment = undefined;
    this.#globals = undefined;
  }

  // The rest of the interface does nothing without contexts, source transforms and coverage.
  enterTestCode() {}
  leaveTestCode() {}
  getSourceMaps() {
    return null;
  }
  getAllCoverageInfoCopy() {
    return undefined;
  }
};
