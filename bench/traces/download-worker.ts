/**
 * A worker thread that downloads a URL to the end, and posts the number of bytes and seconds. It reads into one buffer
 * and only counts, because the server and the writers need the CPU time.
 */

import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { hostname, port, pathname, search, host } = new URL(workerData);
/** The end of a complete chunked response; every export is chunked. */
const LAST_CHUNK = '0\r\n\r\n';

const since = performance.now();
let head = '';
let tail = '';
let bytes = 0;
const socket = connect({
  host: hostname,
  port: Number(port),
  onread: {
    buffer: Buffer.alloc(1024 * 1024),
    callback(length, buffer) {
      const part = Buffer.from(buffer.buffer, buffer.byteOffset, length);
      if (head.length < 80) head += part.toString('latin1', 0, 80);
      bytes += length;
      tail = (tail + part.toString('latin1', Math.max(0, length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
      return true;
    },
  },
});
socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
socket.once('close', () => {
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`${workerData} returned ${head.split('\r\n')[0]}`);
  if (tail !== LAST_CHUNK) throw new Error(`the response of ${workerData} was truncated after ${bytes} bytes`);
  parentPort?.postMessage({ bytes, seconds: (performance.now() - since) / 1_000 });
});
