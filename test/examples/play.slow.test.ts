import { format } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

// The problems of the example itself, whatever the machine has.
delete process.env.GSM8K_FILE;

/** Runs a player in this process, and returns what it prints. */
async function outputOf(name: string): Promise<string> {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await import(`../../examples/${name}/play.ts`);
    return log.mock.calls.map((line) => `${format(...line)}\n`).join('');
  } finally {
    log.mockRestore();
  }
}

async function losesAndWins(name: string): Promise<void> {
  expect(await outputOf(name)).toMatch(
    new RegExp(`^${name}, failed episode: .+\\n${name}, solved episode: .+ Reward 1(\\.00)?\\.\\n$`),
  );
}

test.each(['countdown', 'gsm8k', 'maze', 'javascript', 'orders', 'slogans', 'conformance'])(
  'the player of %s loses, wins and says so',
  losesAndWins,
);

testUnless(bubblewrapMissing)('the player of bash loses, wins and says so', () => losesAndWins('bash'), 60_000);

test.each([
  ['mcp', /^mcp: .*the target.*; reward 1\.\n$/],
  ['mcp-environment', /^mcp-environment: The counter is 16\. Reward 0\.5\.\n$/],
  ['ai-sdk', /^ai-sdk: finished after 2 steps\. Reward 1\.\n$/],
  ['openai-agents', /^openai-agents: .*the target\. Reward 1\.\n$/],
  ['replay', /^replay: the same 4 responses\. Reward 1\.\n$/],
])('plays the example %s', async (name, said) => {
  expect(await outputOf(name)).toMatch(said);
});
