import { parentPort } from 'node:worker_threads';
import { type InputJob, runInputJob } from './answer.ts';

// What has to be loaded once is no part of the time of the first schema.
await runInputJob({ schema: '{"type":"object"}', random: 0, seed: 1 });
parentPort?.on('message', async (job: InputJob) => parentPort?.postMessage(await runInputJob(job)));
parentPort?.postMessage('ready');
