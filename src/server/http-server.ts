import type { Server } from 'node:http';
import { createNodeServer } from '../http/index.ts';
import type { OrsServer } from './create-server.ts';
import type { ServerOptions } from './server-options.ts';
import { resolveSettings } from './settings.ts';

/** Node's server for it, set up as ORS clients need it; it listens nowhere yet. */
export const createHttpServer = ({ handler }: OrsServer, options: ServerOptions = {}): Server =>
  createNodeServer(handler, resolveSettings(options));
