/** Serves `isolated-environment`. The argument is JSON with the isolation options and the heartbeat interval. */
import { loadEnvironments, serve } from 'ors-kit/server';

const { heartbeatMs, ...hosting } = JSON.parse(process.argv[2] ?? '{}');
const environments = await loadEnvironments([new URL('isolated-environment.js', import.meta.url)], hosting);
await serve(environments, { port: Number(process.env.PORT), host: '127.0.0.1', heartbeatMs });
