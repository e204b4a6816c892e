import { parentPort } from 'node:worker_threads';
import { answer, type Job } from './answer.ts';

parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await answer(job)));
parentPort?.postMessage('ready');
