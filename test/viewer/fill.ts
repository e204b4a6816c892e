/**
 * Fills a trace store with examples for the viewer, for people who work on it.
 *
 * npx tsx test/viewer/fill.ts <traces.db>
 */
import { openSqliteStore, serveTraces } from 'ors-kit/trace/server';
import { playRollouts } from './rollouts.ts';
import { fillSample } from './sample.ts';

const [, , path] = process.argv;
if (path === undefined) throw new Error('name a file: npx tsx test/viewer/fill.ts traces.db');
await using store = await openSqliteStore({ path });
await using server = await serveTraces({ store, port: 0 });
await fillSample(server.url, { steps: 0 });
await playRollouts(server.url);
console.log(`${path} is filled; look at it: npx ors-kit traces serve --db ${path}`);
