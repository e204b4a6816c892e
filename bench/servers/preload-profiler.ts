/**
 * Preloaded before a server (`node --import`): records a CPU profile between the messages `start` and `stop` of the
 * parent process, and replies to `stop` with the profile.
 */
import { Session } from 'node:inspector/promises';

const samplingMicroseconds = 200;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds });

process.on('message', async (message) => {
  if (message === 'start') await session.post('Profiler.start');
  if (message === 'stop') process.send?.((await session.post('Profiler.stop')).profile);
});
process.channel?.unref();
