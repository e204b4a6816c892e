import { pino } from 'pino';
import { serveWatching } from '../../src/cli/serve/reload-manager.ts';
import { isServerProcess, runServerProcess } from '../../src/cli/serve/serve-modules.ts';

// `ors serve --watch --port 0 <module>` with limits that a test can wait for: node serve-impatiently.ts <loadMs> <module>
const [loadMs, module = ''] = process.argv.slice(2);
if (isServerProcess()) await runServerProcess([module], { log: pino({ level: 'silent' }) }, {});
else await serveWatching([module], { port: 0, host: '127.0.0.1' }, { loadMs: Number(loadMs) });
