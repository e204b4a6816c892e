/** Runs in a worker: loads the module that it is told and lets the server use the environments of it. */

import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../core/index.ts';
import { serveWorkerRpc } from './answer-questions.ts';
import { importEnvironments } from './import-environments.ts';

if (!parentPort) throw new Error('this module is for a worker thread');
try {
  serveWorkerRpc(parentPort, await importEnvironments(workerData.module));
} catch (error) {
  parentPort.postMessage({ notLoaded: errorMessage(error) });
}
