import type { McpServer } from '@modelcontextprotocol/server';

export function statelessNotebook(notes?: string[]): McpServer;
