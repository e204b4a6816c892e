import { expect, test } from '@jest/globals';
import { parseServerUrl } from '../../src/cli/command.ts';
import { parseSize } from '../../src/cli/commands/serve.ts';
import { parseDuration } from '../../src/cli/commands/traces-prune.ts';
import { formatBytes } from '../../src/core/index.ts';

test.each([
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['30d', 2_592_000_000],
  ['2w', 1_209_600_000],
  ['90', undefined],
  ['1 h', undefined],
])('parses the duration %j', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  ['1024', 1_024],
  ['64KB', 65_536],
  ['64 KiB', 65_536],
  ['1gb', 1_073_741_824],
  ['64 kilobytes', undefined],
  ['KB', undefined],
  ['1.5MB', undefined],
])('parses the size %j', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test('parses the sizes that formatBytes writes', () => {
  for (const bytes of [1, 512, 1_024, 65_536, 3 * 1_024 ** 2])
    expect(parseSize(formatBytes(bytes).replace(' B', ''))).toBe(bytes);
});

test('rejects an address that only begins like a URL', () => {
  expect(() => parseServerUrl('http://')).toThrow("invalid URL 'http://'");
});
