export { assemble } from './assemble.ts';
export { checkRequest, type Outcome } from './check-request.ts';
export { type Failure, requestTooLarge } from './failures.ts';
export { BLOCK_ID, createUlids, newBlockId, newTraceId, TRACE_ID } from './ids.ts';
export { createNotebook } from './known-blocks.ts';
export { readLimits } from './limits.ts';
export { compareBlocks } from './order.ts';
export { stitch } from './stitch.ts';
