import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { freePort } from '../support/free-ports.ts';
import { testUnless } from '../support/optional.ts';
import { until, withDeadline } from '../support/until.ts';
import { missing, program } from './programs.ts';
import { adapt } from './proxies.ts';
import { instruction, startInContainer } from './without-docker.ts';

const run = promisify(execFile);

/** A folder for as long as a test runs. */
async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-deploy-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Output of `nginx -t` for a configuration whose nodes have addresses. */
async function checkNginx(name: 'nginx' | 'nginx-1.30', configuration: string): Promise<string> {
  await using at = await scratch();
  const file = join(at.folder, 'nginx.conf');
  await writeFile(file, adapt(configuration, at.folder, 0));
  const flags = ['-t', '-p', at.folder, '-c', file, '-e', 'stderr', '-g', `pid ${at.folder}/pid;`];
  return (await run(program(name), flags)).stderr;
}

const configMap = async () => {
  const documents = (await readFile('deploy/kubernetes.yaml', 'utf8')).split(/^---$/m).map((text) => parse(text));
  return documents.find(({ kind }) => kind === 'ConfigMap').data['nginx.conf'].replace(/\bors-\d+:/g, '127.0.0.1:');
};

testUnless(missing('nginx', 'nginx -t'))('nginx accepts its files, that of Kubernetes too', async () => {
  const said = await Promise.all([
    checkNginx('nginx', await readFile('deploy/nginx.conf', 'utf8')),
    checkNginx('nginx', await configMap()),
  ]);

  for (const text of said) expect(text).toContain('test is successful');
  expect(said.join('')).not.toContain('[warn]');
});

testUnless(missing('nginx-1.30', 'nginx -t of the newest nginx'))('the newest nginx accepts all files', async () => {
  const said = await Promise.all([
    checkNginx('nginx-1.30', await readFile('deploy/nginx.conf', 'utf8')),
    checkNginx('nginx-1.30', await readFile('deploy/nginx-1.30.conf', 'utf8')),
  ]);

  for (const text of said) expect(text).toContain('test is successful');
  expect(said.join('')).not.toContain('[warn]');
});

testUnless(missing('haproxy', 'haproxy -c'))('HAProxy accepts its file, without a warning', async () => {
  const { stdout, stderr } = await run(program('haproxy'), ['-c', '-f', 'deploy/haproxy.cfg']);

  expect(stdout).toContain('Configuration file is valid');
  expect(stderr).not.toMatch(/WARNING|ALERT/);
});

testUnless(missing('kubernetes-validate', 'the schemas of Kubernetes'))(
  'deploy/kubernetes.yaml is valid by the schemas of Kubernetes, with no field that they do not know',
  async () => {
    const { stdout, stderr } = await run(program('kubernetes-validate'), ['--strict', 'deploy/kubernetes.yaml']);

    expect((stdout + stderr).match(/ passed for resource /g)).toHaveLength(9);
  },
);

test('uses the ordinal of a pod in the StatefulSet as its tag', async () => {
  await using at = await scratch();
  const [first = ''] = (await readFile('deploy/kubernetes.yaml', 'utf8')).split(/^---$/m);
  const { command } = parse(first).spec.template.spec.containers[0];
  await mkdir(join(at.folder, 'node_modules/.bin'), { recursive: true });
  const printer = '#!/bin/sh\necho "$ORS_NODE_TAG $*"\n';
  await writeFile(join(at.folder, 'node_modules/.bin/ors'), printer, { mode: 0o755 });

  const [init, end, shell = '', ...args] = command;
  const { stdout } = await run(shell, args, { cwd: at.folder, env: { PATH: process.env.PATH, HOSTNAME: 'ors-26' } });

  expect(stdout).toBe('001a serve environment.js --drain-timeout 3600\n');
  expect([init, end]).toEqual(['tini', '--']);
});

test('the steps of the Dockerfile, run as shell commands, start a server that becomes healthy and stops on its stop signal', async () => {
  await using at = await scratch();
  const dockerfile = await readFile('deploy/Dockerfile', 'utf8');
  const port = await freePort();

  await using container = await startInContainer(dockerfile, at.folder, {
    PORT: `${port}`,
    ORS_API_KEYS: 'me:secret-of-a-test',
  });
  const isHealthy = () => container.exec(instruction(dockerfile, 'HEALTHCHECK'));
  await until(isHealthy);
  const refused = await fetch(`http://127.0.0.1:${port}/list_environments`);
  const names = await fetch(`http://127.0.0.1:${port}/list_environments`, {
    headers: { 'X-API-Key': 'secret-of-a-test' },
  });
  container.stop(instruction(dockerfile, 'STOPSIGNAL'));
  const code = await withDeadline(container.exited, 'the end of the container');

  expect(refused.status).toBe(401);
  expect(await names.json()).toEqual(['quiz']);
  expect(code).toBe(0);
  expect(await isHealthy()).toBe(false);
});
