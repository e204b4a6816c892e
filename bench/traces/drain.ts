/** A thread that reads the answer to a URL to its end, and tells how many bytes it has and how many seconds it took. */

import { parentPort, workerData } from 'node:worker_threads';

const since = performance.now();
const { body, ok, status } = await fetch(workerData);
if (!ok || !body) throw new Error(`${workerData} answered ${status}`);
let bytes = 0;
for await (const part of body) bytes += part.byteLength;
parentPort?.postMessage({ bytes, took: (performance.now() - since) / 1_000 });
