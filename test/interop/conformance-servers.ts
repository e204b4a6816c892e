import { fileURLToPath } from 'node:url';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { python } from './python-packages.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const withParent = [...python, path('servers/with_parent.py')];
const fixture = path('../../examples/conformance/conformance.py');

/** How each server that hosts the fixture is started; it prints `ready <url>`, or where it listens. */
export const commands = {
  'ors-kit': [
    ...ORS,
    ...['serve', path('../../examples/conformance/environment.ts')],
    ...['--journal', ':memory:', '--port', '0'],
  ],
  'ors-sdk': [...withParent, fixture, '--port', '0'],
  openreward: [...withParent, path('servers/conformance_of_openreward.py'), fixture, '--port', '0'],
} as const;

export interface ServedFixture extends AsyncDisposable {
  readonly url: string;
  readonly command: RunningCommand;
}

/** Starts one of them. */
export async function serveFixtureOn(name: keyof typeof commands): Promise<ServedFixture> {
  const command = startCommand(commands[name], { LOG_LEVEL: 'CRITICAL', OPENREWARD_DISABLE_UPDATE_CHECK: '1' });
  const [, url = ''] = await command.says(/(http:\/\/127\.0\.0\.1:\d+)/);
  return { url, command, [Symbol.asyncDispose]: () => command[Symbol.asyncDispose]() };
}
