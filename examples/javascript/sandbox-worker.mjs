/**
 * The worker thread that runs submitted code. It is plain JavaScript, so that it starts without a build.
 *
 * Each call gets a new QuickJS engine in WebAssembly: it cannot access files, the network or other threads, and no
 * state is left for the next call. The memory is freed when the thread exits.
 *
 * @typedef {import('./sandbox.ts').CallOutcome} CallOutcome
 */
import { parentPort, workerData } from 'node:worker_threads';
import { newQuickJSWASMModule, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';

/** Memory of an engine in pages of 64 KiB, at most 32 MiB. QuickJS's own limit does not count all allocations. */
const memory = { initial: 256, maximum: 512 };
const stackLimit = 256 * 1024;
/** Maximum length of a result, in characters of JSON. */
const MAX_RESULT = 100_000;
const MAX_ERROR = 1_000;

/**
 * Functions of the engine that a call needs, saved before submitted code can replace them. `describe` may run code of
 * the thrown value, so it runs under the same limits.
 */
const prelude = `(() => {
  const { stringify } = JSON;
  const toText = String;
  const silent = () => {};
  globalThis.console = { log: silent, info: silent, warn: silent, error: silent, debug: silent };
  const describe = (error) => {
    if (error === null) return 'threw null, or ran out of memory';
    try {
      return toText(error);
    } catch {
      return 'an error without a message';
    }
  };
  return { stringify: (value) => stringify(value), describe };
})()`;

const { code, functionName, calls, milliseconds } = workerData;

/** @returns {CallOutcome} */
function runCall(quickjs, args) {
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: stackLimit });
  const context = runtime.newContext();

  const tools = context.unwrapResult(context.evalCode(prelude));
  const [stringify, describe] = [context.getProp(tools, 'stringify'), context.getProp(tools, 'describe')];

  // The arguments are created from JSON, before the submitted code runs and could intercept that.
  const given = args.map((arg) => context.unwrapResult(context.evalCode(`(${JSON.stringify(arg)})`)));

  // Only submitted code is timed: on a busy machine, the engine can take long to start.
  parentPort.postMessage('running');
  const deadline = Date.now() + milliseconds;
  runtime.setInterruptHandler(() => Date.now() > deadline);
  const fail = (thrown) => {
    const description = context.callFunction(describe, context.undefined, thrown);
    if (Date.now() > deadline) return { error: `took longer than ${milliseconds} ms` };
    const isShort = !description.error && lengthOf(context, description.value) <= MAX_ERROR;
    return { error: isShort ? context.getString(description.value) : 'failed with an error that is too long' };
  };

  const script = context.evalCode(code, 'submitted.js', { type: 'global' });
  if (script.error) return fail(script.error);
  const target = context.evalCode(functionName, 'submitted.js');
  if (target.error || context.typeof(target.value) !== 'function') {
    return { error: `the code does not define the function '${functionName}'` };
  }
  const result = context.callFunction(target.value, context.undefined, ...given);
  if (result.error) return fail(result.error);
  const json = context.callFunction(stringify, context.undefined, result.value);
  if (json.error) return fail(json.error);
  if (context.typeof(json.value) !== 'string') return { error: `returned ${context.typeof(result.value)}, not JSON` };
  if (lengthOf(context, json.value) > MAX_RESULT) return { error: `returned over ${MAX_RESULT} characters` };
  return { json: context.getString(json.value) };
}

/** Reads the length of a string, which code cannot override. */
const lengthOf = (context, handle) => context.getNumber(context.getProp(handle, 'length'));

for (const args of calls) {
  const quickjs = await newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory: new WebAssembly.Memory(memory) }));
  parentPort.postMessage(runCall(quickjs, args));
}
