import { Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../core/index.ts';
import { formatAddress, isOnThisMachine, type ProxyNode, parseListen, parseNodes } from '../proxy-config/nodes.ts';
import { DEFAULT_STICKY, type ProxyEngine, type ProxyPlan, type StickyMode } from '../proxy-config/plan.ts';
import { renderProxyConfig } from '../proxy-config/proxy-config.ts';

const HELP = `
The nodes are servers of which each has a tag of its own (ors serve --node-tag, ORS_NODE_TAG): 0000, 0001, ... in the
order of --nodes, or as written before them. docs/scaling.md says when to take which engine.

Examples:
  $ ors proxy-config --engine nginx --nodes 127.0.0.1:8081,127.0.0.1:8082 > nginx.conf && nginx -t -c $PWD/nginx.conf
  $ ors proxy-config --engine haproxy --nodes 10.0.0.11:8080,10.0.0.12:8080 --listen 80 > haproxy.cfg
  $ ors proxy-config --engine nginx --nodes 0000=10.0.0.11:8080,0002=10.0.0.13:8080    # node 0001 is gone
  $ ors proxy-config --engine nginx --nodes 127.0.0.1:8081,127.0.0.1:8082 --listen 0.0.0.0:80    # for other machines`;

interface Flags {
  readonly engine: ProxyEngine;
  readonly nodes: readonly ProxyNode[];
  readonly listen: ProxyPlan['listen'];
  readonly sticky?: StickyMode;
}

/** `ors proxy-config`: standard output has the configuration and nothing else. */
export function proxyConfigCommand(): Command {
  return new Command('proxy-config')
    .description('Print the configuration of nginx or HAProxy in front of several servers.')
    .addOption(
      new Option('--engine <program>', 'proxy to configure').choices(['nginx', 'haproxy']).makeOptionMandatory(),
    )
    .addOption(
      new Option('--nodes <addresses>', 'host:port,... of the servers, or tag=host:port,...')
        .argParser(orInvalid(parseNodes))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--listen <address>',
        'port of the proxy, or host:port; a port alone is on 127.0.0.1 if a node is on loopback, else on all addresses',
      )
        .argParser(orInvalid(parseListen))
        .default(parseListen('8080'), '8080'),
    )
    .addOption(
      new Option(
        '--sticky <how>',
        'who has a session: by the tag in its id (map; default for nginx), or learned from answers (learn; default for haproxy, needs nginx 1.29.6)',
      ).choices(['map', 'learn']),
    )
    .addHelpText('after', HELP)
    .action((flags: Flags, command: Command) => {
      const { engine, nodes, listen, sticky = DEFAULT_STICKY[engine] } = flags;
      if (engine === 'haproxy' && sticky === 'map') {
        command.error('error: haproxy needs no --sticky map: its configuration learns, and reads tags besides');
      }
      const own = nodes.find((node) => node.port === listen.port && isOnThisMachine(node));
      if (own)
        command.error(`error: ${formatAddress(own)} is a node; pass another port for the proxy: --listen <port>`);
      process.stdout.write(renderProxyConfig({ engine, sticky, nodes, listen }));
    });
}

/** Commander names the option only for errors of its own. */
function orInvalid<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(errorMessage(error));
    }
  };
}
