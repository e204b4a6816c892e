import { isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { bareHost, countBy, isLoopbackHost, parseInteger } from '../../core/index.ts';

export type ProxyEngine = 'nginx' | 'haproxy';
/** How a proxy finds the node of a session: by the tag in its id, or learned from responses. */
export type StickyMode = 'map' | 'learn';

/** Input of a proxy configuration. */
export interface ProxyPlan {
  readonly engine: ProxyEngine;
  readonly sticky: StickyMode;
  readonly nodes: readonly ProxyNode[];
  /** Address of the proxy; `listenAddress` chooses a missing host. `[::]` includes IPv4 addresses. */
  readonly listen: { readonly host: string | undefined; readonly port: number };
}

export const DEFAULT_STICKY: Readonly<Record<ProxyEngine, StickyMode>> = { nginx: 'map', haproxy: 'learn' };

/**
 * Returns the address that the proxy listens on. Servers on a loopback address may have no keys, so without a host, a proxy
 * in front of such a server is on loopback too; other proxies listen on all addresses.
 */
export function listenAddress({ nodes, listen: { host, port } }: ProxyPlan): string {
  return formatAddress({ host: host ?? (nodes.some(isOnThisMachine) ? '127.0.0.1' : ANY_ADDRESS), port });
}

/** Returns comment lines that explain the default address. */
export function listenComment({ nodes, listen: { host, port } }: ProxyPlan): string[] {
  if (host !== undefined || !nodes.some(isOnThisMachine)) return [];
  return [
    '# Only for this machine, because the nodes are on loopback, where they may serve without keys. To accept other machines,',
    `# start the nodes with keys (ors serve --api-keys) and run the command above with --listen ${ANY_ADDRESS}:${port}.`,
  ];
}

/** Returns the first line of a configuration: the command that writes it. */
export const headerComment = (plan: ProxyPlan): string => `# Written by: ${formatCommand(plan)}`;

/** Returns the command that prints the configuration. */
export function formatCommand({ engine, sticky, nodes, listen: { host, port } }: ProxyPlan): string {
  const named = nodes.map(
    (node, index) => `${node.tag === nodeTag(index) ? '' : `${node.tag}=`}${formatAddress(node)}`,
  );
  const flags = [
    ...(sticky === DEFAULT_STICKY[engine] ? [] : ['--sticky', sticky]),
    '--listen',
    host === undefined ? String(port) : formatAddress({ host, port }),
  ];
  return ['ors proxy-config --engine', engine, '--nodes', named.join(','), ...flags].join(' ');
}

/** A server behind the proxy. */
export interface ProxyNode {
  /** Four lower-case hex digits at the start of its session ids. */
  readonly tag: string;
  /** As in a URL: IPv6 addresses have brackets. */
  readonly host: string;
  readonly port: number;
}

const MAX_NODES = 0x1_00_00;

/** All IPv4 addresses of a machine. */
export const ANY_ADDRESS = '0.0.0.0';

/** Returns the tag of the node with this index, from 0. */
export const nodeTag = (index: number): string => index.toString(16).padStart(4, '0');

/** Returns the tag `offset` after another one. */
export const offsetTag = (tag: string, offset: number): string => nodeTag(Number.parseInt(tag, 16) + offset);

export const formatAddress = ({ host, port }: Pick<ProxyNode, 'host' | 'port'>): string => `${host}:${port}`;

/** Returns true for loopback addresses and for the wildcard addresses, which lead to the same machine. */
export function isOnThisMachine({ host }: Pick<ProxyNode, 'host'>): boolean {
  const name = bareHost(host).toLowerCase();
  return isLoopbackHost(name) || name === ANY_ADDRESS || name === '::';
}

/**
 * Parses `host:port,host:port,...`. The tags are 0000, 0001, ... in this order, unless written as `tag=host:port`.
 *
 * @throws InvalidArgumentError for an invalid or duplicate tag or address.
 */
export function parseNodes(text: string): ProxyNode[] {
  const nodes = text.split(',').map((part, index) => {
    const [, tag = nodeTag(index), address = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(part.trim()) ?? [];
    if (!isNodeTag(tag)) {
      throw new InvalidArgumentError(
        `invalid tag '${tag}' in '${part.trim()}': expected four lower-case hex digits, such as 0001`,
      );
    }
    return { tag, ...parseAddress(address) };
  });
  for (const keys of [nodes.map(formatAddress), nodes.map(({ tag }) => tag)]) {
    const [duplicate] = [...countBy(keys, String)].find(([, count]) => count > 1) ?? [];
    if (duplicate === undefined) continue;
    throw new InvalidArgumentError(`duplicate '${duplicate}': each node needs its own tag and address`);
  }
  if (nodes.length > MAX_NODES)
    throw new InvalidArgumentError(`too many nodes: ${nodes.length}, and there are ${MAX_NODES} tags`);
  return nodes;
}

/** Returns true for a valid node tag. */
export const isNodeTag = (text: string): boolean => /^[0-9a-f]{4}$/.test(text);

/** Parses `8080`, `host:8080`, or `*:8080` for all addresses. @throws InvalidArgumentError for an invalid address. */
export function parseListen(text: string): { readonly host: string | undefined; readonly port: number } {
  return /^\d+$/.test(text)
    ? { host: undefined, port: parsePort(text, text) }
    : parseAddress(text.replace(/^\*:/, `${ANY_ADDRESS}:`));
}

/** Accepts names and addresses only: they are written into configurations. */
function parseAddress(text: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d+)$/.exec(text) ?? [];
  const isHost = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : host !== '';
  if (!isHost)
    throw new InvalidArgumentError(
      `invalid address '${text}': expected host:port, such as 127.0.0.1:8081 or [::1]:8081`,
    );
  return { host, port: parsePort(port, text) };
}

function parsePort(text: string, whole: string): number {
  const port = parseInteger(text, { min: 1, max: 65_535 });
  if (port !== undefined) return port;
  throw new InvalidArgumentError(`invalid port in '${whole}': expected a number from 1 to 65535`);
}
