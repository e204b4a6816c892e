import { Worker } from 'node:worker_threads';

const BEAT_MS = 500;

/**
 * What runs beside the thread that it watches; plain JavaScript, because it is handed to a worker as a text. A thread
 * that blocks can neither be asked nor stopped, so the whole process ends.
 */
const WATCH = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const beats = new Int32Array(workerData.beats);
let [last, since] = [0, Date.now()];
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last) [last, since] = [beat, Date.now()];
  if (Date.now() - since < workerData.seconds * 1000) return;
  writeSync(2, workerData.message);
  process.kill(workerData.pid, 'SIGKILL');
}, ${BEAT_MS});`;

/**
 * Ends the process, and says why, when code of the environment lets nothing else run for so many seconds: not even
 * Ctrl-C would be heard.
 */
export function guardAgainstBlocking(seconds: number): Disposable {
  const beats = new SharedArrayBuffer(4);
  const cells = new Int32Array(beats);
  const message = `\nors: the environment's code has blocked the process for ${seconds} s, so it is ended; look for a loop without end\n`;
  const workerData = { beats, seconds: seconds + 2 * (BEAT_MS / 1000), message, pid: process.pid };
  const worker = new Worker(WATCH, { eval: true, workerData, execArgv: [], env: {} });
  worker.unref();
  const timer = setInterval(() => Atomics.add(cells, 0, 1), BEAT_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}
