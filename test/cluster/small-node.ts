import { serve } from '../../src/server/index.ts';
import counting from './counting.ts';

/** A server with few session slots and short queue times; otherwise like `ors serve`. */
const { url } = await serve([counting], {
  port: Number(process.env.PORT),
  nodeTag: process.env.ORS_NODE_TAG ?? '0000',
  maxSessions: Number(process.argv[2]),
  capacityWaitMs: 500,
});
console.log(`ors serves counting on ${url}`);
