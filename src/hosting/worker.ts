/** Entry point of a worker thread: loads a module and serves its environments. */

import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../core/index.ts';
import { importEnvironments } from './import-environments.ts';
import { serveWorkerRpc } from './worker-rpc-server.ts';

if (!parentPort) throw new Error('this module must run in a worker thread');
try {
  serveWorkerRpc(parentPort, await importEnvironments(workerData.module));
} catch (error) {
  parentPort.postMessage({ loadError: errorMessage(error) });
}
