import { afterAll } from '@jest/globals';
import type { TraceStore } from '../../../../src/trace/store/trace-store.ts';
import type { OpenStore } from '../stores.ts';

/** Opens and fills a store on first use. All tests that only read share it; it is closed after them. */
export function openOnce(open: OpenStore, fill: (store: TraceStore) => Promise<unknown>): () => Promise<TraceStore> {
  let opened: Promise<TraceStore> | undefined;
  const openAndFill = async () => {
    const store = await open();
    await fill(store);
    return store;
  };
  afterAll(async () => (await opened)?.[Symbol.asyncDispose]());
  return () => {
    opened ??= openAndFill();
    return opened;
  };
}
