import { addressOf, type Node, nodeTag } from './nodes.ts';

export type Engine = 'nginx' | 'haproxy';
/** How the owner of a session is known: by the tag in its id, or learned from the answers. */
export type Sticky = 'map' | 'learn';

/** What a configuration is made of. */
export interface ProxyPlan {
  readonly engine: Engine;
  readonly sticky: Sticky;
  readonly nodes: readonly Node[];
  /** Where the proxy listens; without a host on all addresses. */
  readonly listen: { readonly host: string | undefined; readonly port: number };
}

export const DEFAULT_STICKY: Readonly<Record<Engine, Sticky>> = { nginx: 'map', haproxy: 'learn' };

/** The first line of a configuration: the command that writes it. */
export const written = (plan: ProxyPlan): string => `# Written by: ${commandFor(plan)}`;

/** The command that prints the configuration of a plan. */
export function commandFor({ engine, sticky, nodes, listen: { host, port } }: ProxyPlan): string {
  const named = nodes.map((node, index) => `${node.tag === nodeTag(index) ? '' : `${node.tag}=`}${addressOf(node)}`);
  const flags = [
    ...(sticky === DEFAULT_STICKY[engine] ? [] : ['--sticky', sticky]),
    '--listen',
    host === undefined ? String(port) : addressOf({ host, port }),
  ];
  return ['ors proxy-config --engine', engine, '--nodes', named.join(','), ...flags].join(' ');
}
