import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { Environment } from 'ors-kit';
import { type HostedEnvironment, hostInWorkers, serveWorkerRpc, type WorkerThread } from '../../src/hosting/index.ts';

/**
 * Hosts environments through messages, like workers, but in this thread, so that tests share the state of their
 * environments.
 */
export const hostByMessages = (environments: readonly Environment[]): Promise<HostedEnvironment[]> =>
  hostInWorkers(() => loopback(environments), { threads: 1 });

function loopback(environments: readonly Environment[]): WorkerThread {
  const { port1, port2 } = new MessageChannel();
  serveWorkerRpc(port2, environments);
  return {
    post: (message) => port1.postMessage(message),
    onMessage: (listener) => void port1.on('message', listener),
    onEnd: (listener) => void port1.once('close', () => listener('its worker ended')),
    async terminate() {
      const closed = once(port1, 'close');
      port1.close();
      await closed;
    },
  };
}
