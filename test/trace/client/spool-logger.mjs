/** Logs messages to a trace until it is killed: node spool-logger.mjs <url> <spool> <trace id>. */
import { createTraceClient } from 'ors-kit/trace';

const [, , url = '', spool = '', id = ''] = process.argv;
const traces = createTraceClient({ url, spool, onError: ({ message }) => process.stderr.write(`${message}\n`) });
const trace = traces.createTrace({ id });
for (let index = 0; ; index++) {
  trace.logMessage({ role: 'user', content: `message ${index}` });
  await traces.ready();
  await new Promise((resolve) => setTimeout(resolve, 1));
}
