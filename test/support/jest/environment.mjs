import { findSourceMap } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

setFlagsFromString('--expose-gc');
// Most functions run only in a few tests, so that optimizing them costs more than it saves. Later versions of V8 have
// other settings.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=4000000');
const collectGarbage = runInNewContext('gc');

/** Jest ends workers with signals, which a remaining listener of a suite would prevent. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Environment of Jest for suites that run in the process of the worker. Restores globals that suites change. */
export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = globalThis.console;
  #exit = process.exit;
  #env = { ...process.env };
  #heapLimit;
  #mapped = new WeakSet();
  #listeners = SIGNALS.map((signal) => process.listeners(signal));

  constructor({ globalConfig, projectConfig }) {
    this.#heapLimit = globalConfig.workerIdleMemoryLimit ?? Infinity;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    // Jest wraps both for each suite.
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    for (const [index, signal] of SIGNALS.entries()) {
      const added = process.listeners(signal).filter((listener) => !this.#listeners[index].includes(listener));
      for (const listener of added) process.off(signal, listener);
    }
    // Jest replaces workers whose heap, including garbage, is large. Buffers are not part of the heap.
    const { heapUsed, rss } = process.memoryUsage();
    if (heapUsed > this.#heapLimit || rss > 3 * this.#heapLimit) collectGarbage();
  }

  handleTestEvent({ name, test, error }) {
    if (name === 'test_done') for (const each of test.errors.flat()) this.mapStacks(each);
    else if (error !== undefined) this.mapStacks(error);
  }

  /** Maps the stacks of an error, its causes and its parts to the sources. */
  mapStacks(error) {
    if (!(error instanceof Error) || this.#mapped.has(error)) return;
    this.#mapped.add(error);
    error.stack = mapStack(error.stack ?? '');
    this.mapStacks(error.cause);
    for (const part of Array.isArray(error.errors) ? error.errors : []) this.mapStacks(part);
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}

const mapStack = (stack) =>
  stack.replace(/(file:\/\/[^\s)]+):(\d+):(\d+)/g, (position, url, line, column) => {
    const entry = findSourceMap(url)?.findEntry(line - 1, column - 1);
    return entry?.originalLine === undefined
      ? position
      : `${url}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
