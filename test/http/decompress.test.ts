import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { Decompressor } from '../../src/http/request-body.ts';

test('counts decompressed bodies against a budget of twice the limit until their responses are closed', async () => {
  const decompressor = new Decompressor(1_000);
  const body = gzipSync(Buffer.alloc(900));
  const responses: EventEmitter[] = [];
  const decompress = () => {
    const response = new EventEmitter();
    responses.push(response);
    return decompressor.decompress(body, 'gzip', {} as IncomingMessage, response as ServerResponse);
  };

  await expect(decompress()).resolves.toHaveLength(900);
  await expect(decompress()).resolves.toHaveLength(900);
  await expect(decompress()).rejects.toMatchObject({ status: 503 });
  responses[0]?.emit('close');
  await expect(decompress()).resolves.toHaveLength(900);
});

test('refuses a body that is larger than the limit', async () => {
  const decompressor = new Decompressor(1_000);
  const body = gzipSync(Buffer.alloc(1_001));

  const decompressed = decompressor.decompress(
    body,
    'gzip',
    {} as IncomingMessage,
    new EventEmitter() as ServerResponse,
  );

  await expect(decompressed).rejects.toMatchObject({ status: 413 });
});
