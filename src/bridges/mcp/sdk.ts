import { optionalPackage } from '../session/index.ts';

const SDK = '@modelcontextprotocol/sdk';

/** What the SDK has for servers. @throws Error that says what to install, where it is missing. */
export const loadServerSdk = () =>
  optionalPackage(SDK, 'an MCP server', async () => {
    const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
    const stdio = await import('@modelcontextprotocol/sdk/server/stdio.js');
    const http = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    return { Server, ...stdio, ...http, ...types };
  });

/** What the SDK has for clients. @throws Error that says what to install, where it is missing. */
export const loadClientSdk = () =>
  optionalPackage(SDK, 'fromMcp', async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const stdio = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const http = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    return { Client, ...stdio, ...http, ...types };
  });
