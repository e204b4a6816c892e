import type { ProxyEngine, StickyMode } from '../../src/cli/proxy-config/plan.ts';
import { parseNodes } from '../../src/cli/proxy-config/plan.ts';
import { renderProxyConfig } from '../../src/cli/proxy-config/render.ts';
import { type ClusterNode, type Nodes, startNodes } from './nodes.ts';
import { type Player, type Players, players } from './players.ts';
import type { Program } from './programs.ts';
import { type Configure, type RunningProxy, startProxy } from './proxies.ts';

/** A proxy, and how it knows who has a session. */
export interface EngineUnderTest {
  readonly name: string;
  readonly program: Program;
  readonly configure: Configure;
  /** A restart makes the proxy forget which node has which session. @default false */
  readonly forgets?: true;
}

const configure =
  (engine: ProxyEngine, sticky: StickyMode): Configure =>
  (addresses, port) =>
    renderProxyConfig({ engine, sticky, nodes: parseNodes(addresses.join(',')), listen: { host: '127.0.0.1', port } });

/** Those whose configurations are in deploy/. */
export const ENGINES: readonly EngineUnderTest[] = [
  { name: 'nginx by tag', program: 'nginx', configure: configure('nginx', 'map') },
  { name: 'haproxy', program: 'haproxy', configure: configure('haproxy', 'learn') },
  { name: 'nginx learning', program: 'nginx-1.30', configure: configure('nginx', 'learn'), forgets: true },
];

/** Servers, a proxy before them, and players who know the proxy only. */
export interface Cluster extends AsyncDisposable {
  readonly engine: string;
  readonly nodes: Nodes;
  readonly proxy: RunningProxy;
  readonly players: Players;
  /** The node of this tag that was started last. */
  readonly node: (tag: string) => ClusterNode;
  /** Those of the players whose episode a node has set up. */
  readonly of: (node: ClusterNode, all: readonly Player[]) => Player[];
  /** Prints a figure into the output of the tests. */
  readonly note: (what: string) => void;
}

export async function startCluster(engine: EngineUnderTest, program?: readonly string[]): Promise<Cluster> {
  await using stack = new AsyncDisposableList();
  const nodes = stack.add(await startNodes(3, program));
  const addresses = nodes.all.map(({ address }) => address);
  const proxy = stack.add(await startProxy(engine.program, addresses, engine.configure));
  const all = stack.add(players(proxy.url));
  const kept = stack.keep();
  return {
    engine: engine.name,
    nodes,
    proxy,
    players: all,
    node(tag) {
      const found = nodes.all.findLast((node) => node.tag === tag);
      if (found) return found;
      throw new Error(`no node has the tag ${tag}`);
    },
    of(node, those) {
      const numbers = new Set(node.said('set up'));
      return those.filter(({ n }) => numbers.has(n));
    },
    note: (what) => process.stderr.write(`${engine.name}: ${what}\n`),
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

/** Stops everything in reverse order, even if a later start fails. Node 20 has no AsyncDisposableStack. */
class AsyncDisposableList implements AsyncDisposable {
  #started: AsyncDisposable[] = [];

  add<T extends AsyncDisposable>(one: T): T {
    this.#started.push(one);
    return one;
  }

  keep(): AsyncDisposable {
    const kept = new AsyncDisposableList();
    kept.#started = this.#started.splice(0);
    return kept;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#started.splice(0).reverse()) await one[Symbol.asyncDispose]();
  }
}
