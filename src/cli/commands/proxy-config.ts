import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { DEFAULT_STICKY, formatAddress, isOnThisMachine, parseListen, parseNodes } from '../proxy-config/plan.ts';
import { renderProxyConfig } from '../proxy-config/render.ts';

const flags = {
  '--engine <program>': { help: 'proxy to configure', choices: ['nginx', 'haproxy'], required: true },
  '--nodes <addresses>': {
    help: 'host:port,... of the servers, or tag=host:port,...',
    parse: parseNodes,
    required: true,
  },
  '--listen <address>': {
    help: 'port of the proxy, or host:port; a port without host is on 127.0.0.1 if a node is on loopback, otherwise on all addresses',
    parse: parseListen,
    default: parseListen('8080'),
    defaultText: '8080',
  },
  '--sticky <mode>': {
    help: 'how the proxy finds the node of a session: by the tag in its id (map; default for nginx), or learned from responses (learn; default for haproxy, needs nginx 1.29.6)',
    choices: ['map', 'learn'],
  },
} as const;

export const proxyConfigCommand = defineCommand({
  name: 'proxy-config',
  flags,
  details: `Each server needs its own node tag (ors serve --node-tag, ORS_NODE_TAG): 0000, 0001, ... in the order of --nodes, or as
written in --nodes. docs/scaling.md says when to use which engine.`,
  examples: [
    'ors proxy-config --engine nginx --nodes 127.0.0.1:8081,127.0.0.1:8082 > nginx.conf && nginx -t -c $PWD/nginx.conf',
    'ors proxy-config --engine haproxy --nodes 10.0.0.11:8080,10.0.0.12:8080 --listen 80 > haproxy.cfg',
    'ors proxy-config --engine nginx --nodes 0000=10.0.0.11:8080,0002=10.0.0.13:8080    # node 0001 is gone',
    'ors proxy-config --engine nginx --nodes 127.0.0.1:8081,127.0.0.1:8082 --listen 0.0.0.0:80    # for other machines',
  ],
  run({ engine, nodes, listen, sticky = DEFAULT_STICKY[engine] }) {
    if (engine === 'haproxy' && sticky === 'map') {
      throw new CliError('--sticky map is not for haproxy: its configuration learns, and reads tags as well');
    }
    const clash = nodes.find((node) => node.port === listen.port && isOnThisMachine(node));
    if (clash) {
      throw new CliError(`${formatAddress(clash)} is a node; pass another port for the proxy: --listen <port>`);
    }
    process.stdout.write(renderProxyConfig({ engine, sticky, nodes, listen }));
  },
});
