/**
 * Loaded before a server (`node --import`): answers any message from the parent process with the longest time, in
 * milliseconds, in which nothing else could run since the message before. It looks each millisecond, from the first on.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 1 });
process.on('message', () => {
  process.send?.(delays.max / 1e6);
  delays.reset();
  delays.enable();
});
process.channel?.unref();
