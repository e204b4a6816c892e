import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocks, DOCUMENTS } from '../support/document.ts';
import { testUnless } from '../support/optional.ts';
import { orsCommands, parseOrs } from './commands.ts';
import { isExcepted, NOT_COMPARED } from './exceptions.ts';
import { runStories, type Story, storyBlocks } from './story.ts';

const TOOLS = ['curl', 'jq', 'openssl', 'python3'];
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--help']).error);
const blocks = DOCUMENTS.flatMap(codeBlocks);

describe('the lines for a shell', () => {
  const documents = DOCUMENTS.filter((document) => storyBlocks(document).length > 0);
  let stories: ReadonlyMap<string, Story> = new Map();
  beforeAll(() => {
    // DOCUMENT=docs/tasks.md runs those of one document alone.
    const { DOCUMENT } = process.env;
    stories = runStories(documents.filter((each) => DOCUMENT === undefined || each === DOCUMENT));
  });
  afterAll(async () => {
    await Promise.all([...stories.values()].map(({ end }) => end));
  });

  for (const document of documents) {
    for (const { place, code, output } of storyBlocks(document)) {
      const needed = missing.find((tool) => code.includes(`${tool} `));

      testUnless(needed && `${place} needs ${needed}; install it`)(
        `at ${place} work, and print what is shown`,
        async () => {
          const result = await stories.get(document)?.results.get(place);

          expect([result?.code, result?.code === 0 ? '' : result?.stderr]).toEqual([0, '']);
          if (output === undefined || isExcepted({ place, code: output }, NOT_COMPARED)) return;
          expect(withoutVersion(result?.stdout)).toBe(withoutVersion(output));
        },
      );
    }
  }
});

test.each(blocks.filter(({ info }) => info === 'sh'))('$place is bash', ({ code }) => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });

  expect([status, stderr]).toEqual([0, '']);
});

const commands = blocks
  .filter(({ info }) => ['sh', 'text', 'yaml'].includes(info))
  .flatMap(({ code, info, place }) => orsCommands(code).map((command) => ({ ...command, place, info })))
  // Outputs speak of ors, too.
  .filter(({ info, line }) => info !== 'text' || line.startsWith('npx'));

test.each(commands)('ors takes `$line` ($place)', async (command) => {
  process.env.OPENAI_API_KEY ??= 'a-key';

  await expect(parseOrs(command)).resolves.toBeUndefined();
});

const withoutVersion = (text = '') => text.replaceAll(/(ors-kit"?\S*?) ?\d+\.\d+\.\d+/g, '$1');
