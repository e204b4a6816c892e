/**
 * A thread that reads the answer to a URL to its end, and tells how many bytes it has and how many seconds it took. It only
 * counts, into one buffer: what it takes of the cores, the server and those who write beside it do not have.
 */

import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { hostname, port, pathname, search, host } = new URL(workerData);
/** What an answer in chunks, as every export is one, ends with if it came whole. */
const END = '0\r\n\r\n';

const since = performance.now();
let [beginning, end, bytes] = ['', '', 0];
const socket = connect({
  host: hostname,
  port: Number(port),
  onread: {
    buffer: Buffer.alloc(1024 * 1024),
    callback(length, buffer) {
      const part = Buffer.from(buffer.buffer, buffer.byteOffset, length);
      if (beginning.length < 80) beginning += part.toString('latin1', 0, 80);
      bytes += length;
      end = (end + part.toString('latin1', Math.max(0, length - END.length))).slice(-END.length);
      return true;
    },
  },
});
socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
socket.once('close', () => {
  if (!beginning.startsWith('HTTP/1.1 200 ')) throw new Error(`${workerData} answered ${beginning.split('\r\n')[0]}`);
  if (end !== END) throw new Error(`the answer of ${workerData} broke off after ${bytes} bytes`);
  parentPort?.postMessage({ bytes, took: (performance.now() - since) / 1_000 });
});
