import { ANY_ADDRESS, formatAddress, isOnThisMachine, nodeTag, type ProxyNode } from './nodes.ts';

export type ProxyEngine = 'nginx' | 'haproxy';
/** How the owner of a session is known: by the tag in its id, or learned from the answers. */
export type StickyMode = 'map' | 'learn';

/** What a configuration is made of. */
export interface ProxyPlan {
  readonly engine: ProxyEngine;
  readonly sticky: StickyMode;
  readonly nodes: readonly ProxyNode[];
  /** Where the proxy listens; without a host where `listenAddress` says. `[::]` is all addresses, those of IPv4 too. */
  readonly listen: { readonly host: string | undefined; readonly port: number };
}

export const DEFAULT_STICKY: Readonly<Record<ProxyEngine, StickyMode>> = { nginx: 'map', haproxy: 'learn' };

/**
 * Where the proxy of a plan listens. Servers on a loopback address are for their own machine, and need no keys; so without
 * a host a proxy to such a one is for that machine too, and one to others listens on all addresses.
 */
export function listenAddress({ nodes, listen: { host, port } }: ProxyPlan): string {
  return formatAddress({ host: host ?? (nodes.some(isOnThisMachine) ? '127.0.0.1' : ANY_ADDRESS), port });
}

/** What the configuration says above that address: lines of a comment; none where somebody has chosen it. */
export function listenComment({ nodes, listen: { host, port } }: ProxyPlan): string[] {
  if (host !== undefined || !nodes.some(isOnThisMachine)) return [];
  return [
    '# For this machine alone, as the nodes are: on loopback they may serve without keys. To let other machines in, give the',
    `# nodes keys (ors serve --api-keys) and write this file by the command above with --listen ${ANY_ADDRESS}:${port}.`,
  ];
}

/** The first line of a configuration: the command that writes it. */
export const headerComment = (plan: ProxyPlan): string => `# Written by: ${formatCommand(plan)}`;

/** The command that prints the configuration of a plan. */
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
