import { loadOptionalPackage } from '../../core/index.ts';

const SDK = '@modelcontextprotocol/sdk';

type Types = typeof import('@modelcontextprotocol/sdk/types.js');

/** Server part of the MCP SDK. Declared, because the inferred type would contain all of its schemas. */
export type ServerSdk = Types &
  Pick<typeof import('@modelcontextprotocol/sdk/server/index.js'), 'Server'> &
  Pick<typeof import('@modelcontextprotocol/sdk/server/stdio.js'), 'StdioServerTransport'> &
  Pick<typeof import('@modelcontextprotocol/sdk/server/streamableHttp.js'), 'StreamableHTTPServerTransport'>;

/** Client part of the MCP SDK. */
export type ClientSdk = Types &
  Pick<typeof import('@modelcontextprotocol/sdk/client/index.js'), 'Client'> &
  Pick<typeof import('@modelcontextprotocol/sdk/client/stdio.js'), 'StdioClientTransport' | 'getDefaultEnvironment'> &
  Pick<typeof import('@modelcontextprotocol/sdk/client/streamableHttp.js'), 'StreamableHTTPClientTransport'>;

/** Loads the server part of the MCP SDK. @throws Error with the command that installs it, if it is missing. */
export const loadServerSdk = (): Promise<ServerSdk> =>
  loadOptionalPackage(SDK, 'an MCP server', async () => {
    const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
    const stdio = await import('@modelcontextprotocol/sdk/server/stdio.js');
    const http = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    return { Server, ...stdio, ...http, ...types };
  });

/** Loads the client part of the MCP SDK. @throws Error with the command that installs it, if it is missing. */
export const loadClientSdk = (): Promise<ClientSdk> =>
  loadOptionalPackage(SDK, 'fromMcp', async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const stdio = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const http = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    return { Client, ...stdio, ...http, ...types };
  });
