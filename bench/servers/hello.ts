/** The maximum rate of Node's HTTP server: ignores the request, does no work, and responds with `hello`. */
import { createServer } from 'node:http';

createServer((_request, response) => response.end('hello')).listen(Number(process.env.PORT), '127.0.0.1', 4096);
