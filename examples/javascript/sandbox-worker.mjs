/**
 * The thread in which submitted code runs: plain JavaScript, so that a worker can start from it without a build.
 *
 * Each call has a QuickJS engine of its own, in WebAssembly: there is no file, network or other thread to reach, and
 * nothing that one call leaves behind is there for the next. The thread's end frees all of it.
 *
 * @typedef {import('./sandbox.ts').Outcome} Outcome
 */
import { parentPort, workerData } from 'node:worker_threads';
import { newQuickJSWASMModule, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';

/** All the memory of an engine, in pages of 64 KiB: 32 MiB. The engine's own limit does not add allocations up. */
const memory = { initial: 256, maximum: 512 };
const stackLimit = 256 * 1024;
/** Longest result that is looked at, in characters of JSON. */
const longestResult = 100_000;
const longestError = 1_000;

/**
 * What a call needs of the engine, taken before submitted code can replace it. `describe` may run code of whatever was
 * thrown, so it is called under the same limits as everything else.
 */
const prelude = `(() => {
  const { stringify } = JSON;
  const toText = String;
  const silent = () => {};
  globalThis.console = { log: silent, info: silent, warn: silent, error: silent, debug: silent };
  const describe = (error) => {
    if (error === null) return 'threw null, or had no memory left to say more';
    try {
      return toText(error);
    } catch {
      return 'something that cannot be shown';
    }
  };
  return { stringify: (value) => stringify(value), describe };
})()`;

const { code, functionName, calls, milliseconds } = workerData;

/** @returns {Outcome} */
function runCall(quickjs, args) {
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: stackLimit });
  const deadline = Date.now() + milliseconds;
  runtime.setInterruptHandler(() => Date.now() > deadline);
  const context = runtime.newContext();

  const tools = context.unwrapResult(context.evalCode(prelude));
  const [stringify, describe] = [context.getProp(tools, 'stringify'), context.getProp(tools, 'describe')];
  const fail = (thrown) => {
    const description = context.callFunction(describe, context.undefined, thrown);
    if (Date.now() > deadline) return { error: `took longer than ${milliseconds} ms` };
    const isShort = !description.error && lengthOf(context, description.value) <= longestError;
    return { error: isShort ? context.getString(description.value) : 'failed with an error too long to show' };
  };

  // The arguments are made inside before the code is there to watch, and from JSON alone.
  const given = args.map((arg) => context.unwrapResult(context.evalCode(`(${JSON.stringify(arg)})`)));
  const script = context.evalCode(code, 'submitted.js', { type: 'global' });
  if (script.error) return fail(script.error);
  const target = context.evalCode(functionName, 'submitted.js');
  if (target.error || context.typeof(target.value) !== 'function') {
    return { error: `the code defines no function '${functionName}'` };
  }
  const result = context.callFunction(target.value, context.undefined, ...given);
  if (result.error) return fail(result.error);
  const json = context.callFunction(stringify, context.undefined, result.value);
  if (json.error) return fail(json.error);
  if (context.typeof(json.value) !== 'string') return { error: `returned ${context.typeof(result.value)}, not JSON` };
  if (lengthOf(context, json.value) > longestResult) return { error: `returned over ${longestResult} characters` };
  return { json: context.getString(json.value) };
}

/** The length of a string is its own property, which code cannot replace. */
const lengthOf = (context, handle) => context.getNumber(context.getProp(handle, 'length'));

for (const args of calls) {
  const quickjs = await newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory: new WebAssembly.Memory(memory) }));
  parentPort.postMessage(runCall(quickjs, args));
}
