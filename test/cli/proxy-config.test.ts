import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  formatCommand,
  type ProxyEngine,
  parseListen,
  parseNodes,
  type StickyMode,
} from '../../src/cli/proxy-config/plan.ts';
import { renderProxyConfig } from '../../src/cli/proxy-config/render.ts';
import { orsInProcess } from '../support/command-in-process.ts';

const NODES = '127.0.0.1:8081,127.0.0.1:8082,127.0.0.1:8083';

const configure = (engine: ProxyEngine, sticky: StickyMode, nodes = NODES) =>
  renderProxyConfig({ engine, sticky, nodes: parseNodes(nodes), listen: parseListen('8080') });

test.each([
  ['nginx.conf', 'nginx', 'map'],
  ['nginx-1.30.conf', 'nginx', 'learn'],
  ['haproxy.cfg', 'haproxy', 'learn'],
] as const)('deploy/%s is what the command in its first line prints', async (file, engine, sticky) => {
  const written = readFileSync(`deploy/${file}`, 'utf8');
  const [, command = ''] = written.match(/^# Written by: ors (.*)$/m) ?? [];

  const { stdout, stderr, code } = await orsInProcess(command.split(' '));

  expect([stderr, code]).toEqual(['', 0]);
  expect(stdout).toBe(written);
  expect(configure(engine, sticky)).toBe(written);
});

test('prefers one node for the sessions of a node that is gone', () => {
  const nginx = configure('nginx', 'map');
  const haproxy = configure('haproxy', 'learn');

  expect(nginx).toContain(' server 127.0.0.1:8082 backup weight=1000; server 127.0.0.1:8083 backup;');
  expect(haproxy.split('\nbackend ors_sessions\n')[1]).toContain('balance hdr(X-Session-ID)');
});

test('the ConfigMap of deploy/kubernetes.yaml is the configuration for its nodes', () => {
  const documents = readFileSync('deploy/kubernetes.yaml', 'utf8')
    .split(/^---$/m)
    .map((text) => parse(text));

  const map = documents.find(({ kind }) => kind === 'ConfigMap');
  const names = documents.flatMap(({ kind, metadata }) =>
    kind === 'Service' && /^ors-\d+$/.test(metadata.name) ? [metadata.name] : [],
  );

  expect(map.data['nginx.conf']).toBe(configure('nginx', 'map', names.map((name) => `${name}:8080`).join(',')));
  expect(names).toHaveLength(documents[0].spec.replicas);
});

test.each([
  ['127.0.0.1:81', '80', '127.0.0.1:80'],
  ['localhost:81', '80', '127.0.0.1:80'],
  ['[::1]:81', '80', '127.0.0.1:80'],
  ['[::ffff:127.0.0.1]:81', '80', '127.0.0.1:80'],
  ['0.0.0.0:81', '80', '127.0.0.1:80'],
  ['10.0.0.1:81,127.0.0.2:81', '80', '127.0.0.1:80'],
  ['10.0.0.1:81,ors-0:81,[fd00::1]:81', '80', '0.0.0.0:80'],
  ['127.0.0.1:81', '0.0.0.0:80', '0.0.0.0:80'],
  ['127.0.0.1:81', '*:80', '0.0.0.0:80'],
  ['10.0.0.1:81', '127.0.0.1:80', '127.0.0.1:80'],
  ['10.0.0.1:81', '10.0.0.9:80', '10.0.0.9:80'],
])('a proxy to %s with --listen %s listens on %s', (nodes, listen, expected) => {
  const plan = { nodes: parseNodes(nodes), listen: parseListen(listen) };

  const texts = [
    renderProxyConfig({ ...plan, engine: 'nginx', sticky: 'map' }),
    renderProxyConfig({ ...plan, engine: 'nginx', sticky: 'learn' }),
    renderProxyConfig({ ...plan, engine: 'haproxy', sticky: 'learn' }),
  ];

  const isChosen = listen.includes(':');
  for (const text of texts) {
    expect(text.match(/^ *(?:listen|bind) .*$/gm)).toEqual([expect.stringMatching(` ${expected} backlog`)]);
    expect(text.includes('# Only for this machine')).toBe(!isChosen && expected.startsWith('127.'));
  }
});

test('listens on IPv4 too for all IPv6 addresses, as servers do', () => {
  const plan = { nodes: parseNodes(NODES), listen: parseListen('[::]:80') };

  expect(renderProxyConfig({ ...plan, engine: 'nginx', sticky: 'map' })).toContain(
    'listen [::]:80 ipv6only=off backlog=4096;',
  );
  expect(renderProxyConfig({ ...plan, engine: 'haproxy', sticky: 'learn' })).toContain(
    'bind [::]:80 v4v6 backlog 4096',
  );
});

test('keeps written tags, and shows them in the first line', () => {
  const plan = {
    engine: 'haproxy',
    sticky: 'learn',
    nodes: parseNodes('0000=a.test:80, 0002=[::1]:81'),
    listen: parseListen('127.0.0.1:8000'),
  } as const;

  const text = renderProxyConfig(plan);

  expect(plan.nodes).toEqual([
    { tag: '0000', host: 'a.test', port: 80 },
    { tag: '0002', host: '[::1]', port: 81 },
  ]);
  expect(text).toContain('server node_0002 [::1]:81 id 3 check fall 1 inter 250ms\n');
  expect(formatCommand(plan)).toBe(
    'ors proxy-config --engine haproxy --nodes a.test:80,0002=[::1]:81 --listen 127.0.0.1:8000',
  );
});

test.each([
  ['', /invalid address '': expected host:port/],
  ['a.test', /invalid address 'a\.test'/],
  ['a.test:0', /invalid port in 'a\.test:0': expected a number from 1 to 65535/],
  ['a.test:80;evil', /invalid address/],
  ['a.test:80\n}', /invalid address/],
  ['[::g]:80', /invalid address/],
  ['a:1,a:1', /duplicate 'a:1'/],
  ['0001=a:1,b:1', /duplicate '0001'/],
  ['1=a:1', /invalid tag '1' in '1=a:1'/],
])('the nodes %j are refused', (nodes, message) => {
  expect(() => parseNodes(nodes)).toThrow(message);
});

test.each([
  [['--engine', 'nginx'], /required option '--nodes <addresses>' not specified/],
  [['--nodes', NODES], /required option '--engine <program>' not specified/],
  [['--engine', 'envoy', '--nodes', NODES], /Allowed choices are nginx, haproxy/],
  [['--engine', 'haproxy', '--nodes', NODES, '--sticky', 'map'], /--sticky map is not for haproxy/],
  [['--engine', 'nginx', '--nodes', NODES, '--listen', '8082'], /127\.0\.0\.1:8082 is a node; pass another port/],
  [['--engine', 'nginx', '--nodes', 'x'], /invalid address 'x': expected host:port/],
])('%j is refused, and standard output stays empty', async (flags, message) => {
  const { stdout, stderr, code } = await orsInProcess(['proxy-config', ...flags]);

  expect([stdout, code]).toEqual(['', 1]);
  expect(stderr).toMatch(message);
});
