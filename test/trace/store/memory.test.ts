import { createMemoryStore } from '../../../src/trace/store/index.ts';
import { describeStore } from './store-contract.ts';

describeStore('a memory store', async (options) => createMemoryStore(options));
