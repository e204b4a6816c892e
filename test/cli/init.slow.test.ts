import { expect, test } from '@jest/globals';
import { startCommand } from '../support/command.ts';

test('the example that a project begins with passes its tests', async () => {
  const test = 'examples/start/environment.test.ts';
  await using command = startCommand([process.execPath, '--import', 'tsx', '--test', test]);

  const { code, stdout } = await command.result;

  expect(stdout).toContain('# pass 5\n');
  expect(code).toBe(0);
});
