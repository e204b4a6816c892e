import { serve } from 'ors-kit/server';
import counting from './counting.mjs';

/** A server with few session slots and short queue times; otherwise like `ors serve`. */
const { url } = await serve([counting], {
  port: Number(process.env.PORT),
  nodeTag: process.env.ORS_NODE_TAG ?? '0000',
  maxSessions: Number(process.argv[2]),
  capacityWaitMs: 500,
});
console.log(`ors serves counting on ${url}`);
