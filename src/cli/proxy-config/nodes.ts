import { isIPv6 } from 'node:net';
import { bareHost, isLoopbackHost, parseInteger } from '../../core/index.ts';

/** A server behind the proxy. */
export interface ProxyNode {
  /** Four lower-case hex digits; the ids of its sessions begin with them. */
  readonly tag: string;
  /** As a URL has it: an IPv6 address stands in brackets. */
  readonly host: string;
  readonly port: number;
}

const MAX_NODES = 0x1_00_00;

/** All addresses of a machine, but for those of IPv6. */
export const ANY_ADDRESS = '0.0.0.0';

/** The tag of the nth node, from 0. */
export const nodeTag = (index: number): string => index.toString(16).padStart(4, '0');

/** The tag that is so many places after another one. */
export const offsetTag = (tag: string, places: number): string => nodeTag(Number.parseInt(tag, 16) + places);

export const formatAddress = ({ host, port }: Pick<ProxyNode, 'host' | 'port'>): string => `${host}:${port}`;

/** Whether a proxy reaches this node at an address of its own machine; one that is no address at all leads there too. */
export function isOnThisMachine({ host }: Pick<ProxyNode, 'host'>): boolean {
  const name = bareHost(host).toLowerCase();
  return isLoopbackHost(name) || name === ANY_ADDRESS || name === '::';
}

/**
 * Reads `host:port,host:port,...`. The tags are 0000, 0001, ... in this order, but for `tag=host:port`.
 *
 * @throws Error that names what cannot be read, or what is there twice.
 */
export function parseNodes(text: string): ProxyNode[] {
  const nodes = text.split(',').map((part, index) => {
    const [, tag = nodeTag(index), address = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(part.trim()) ?? [];
    if (!isNodeTag(tag)) {
      throw new Error(`'${tag}' in '${part.trim()}' is no tag; a tag is four lower-case hex digits, such as 0001`);
    }
    return { tag, ...parseAddress(address) };
  });
  for (const key of [formatAddress, ({ tag }: ProxyNode) => tag]) {
    const seen = new Set<string>();
    for (const node of nodes) {
      if (seen.has(key(node)))
        throw new Error(`'${key(node)}' is there twice; each node needs its own tag and address`);
      seen.add(key(node));
    }
  }
  if (nodes.length > MAX_NODES) throw new Error(`${nodes.length} nodes are more than there are tags, ${MAX_NODES}`);
  return nodes;
}

/** Returns whether a text can be the tag of a node, with which its session ids begin. */
export const isNodeTag = (text: string): boolean => /^[0-9a-f]{4}$/.test(text);

/** Reads `8080`, `host:8080`, or `*:8080` for all addresses. @throws Error that says what an address looks like. */
export function parseListen(text: string): { readonly host: string | undefined; readonly port: number } {
  return /^\d+$/.test(text)
    ? { host: undefined, port: parsePort(text, text) }
    : parseAddress(text.replace(/^\*:/, `${ANY_ADDRESS}:`));
}

/** Names and addresses only: what is read here is written into configurations. */
function parseAddress(text: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d+)$/.exec(text) ?? [];
  const isHost = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : host !== '';
  if (!isHost) throw new Error(`'${text}' is no address; write host:port, such as 127.0.0.1:8081 or [::1]:8081`);
  return { host, port: parsePort(port, text) };
}

function parsePort(text: string, whole: string): number {
  const port = parseInteger(text, { min: 1, max: 65_535 });
  if (port !== undefined) return port;
  throw new Error(`'${whole}' has no port from 1 to 65535`);
}
