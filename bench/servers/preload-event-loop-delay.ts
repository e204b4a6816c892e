/**
 * Preloaded before a server (`node --import`): replies to any message of the parent process with the longest event-loop
 * delay since the previous message, in milliseconds, sampled every millisecond. The first message starts the sampling.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 1 });
process.on('message', () => {
  process.send?.(delays.max / 1e6);
  delays.reset();
  delays.enable();
});
process.channel?.unref();
