import { expect, test } from '@jest/globals';
import { parseMarkdown } from '../../src/viewer/page/payload/markdown-blocks.ts';
import { type MarkdownInline, parseInline } from '../../src/viewer/page/payload/markdown-inline.ts';
import fc from '../support/fast-check.ts';

/** Formats the parsed parts of a line, with braces around each part that is not plain text. */
const outline = (parts: readonly MarkdownInline[]): string =>
  parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'code') return `{code ${part.text}}`;
      if (part.type === 'math') return `{${part.isDisplay ? 'display' : 'math'} ${part.text}}`;
      return `{${part.type}${'href' in part ? ` ${part.href}` : ''} ${outline(part.children)}}`;
    })
    .join('');

test.each([
  ['some **bold** and *emphasis*', 'some {strong bold} and {em emphasis}'],
  ['***both***', '{strong {em both}}'],
  ['__bold__ _em_ ~~gone~~', '{strong bold} {em em} {del gone}'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['**not closed', '**not closed'],
  ['`a **b**` ``c ` d``', '{code a **b**} {code c ` d}'],
  ['`not closed', '`not closed'],
  ['[a **b**](https://x.y/(z) "title")', '{link https://x.y/(z) a {strong b}}'],
  ['[a](javascript:alert(1))', '{link javascript:alert(1) a}'],
  ['![alt](https://x.y/z.png)', '{image https://x.y/z.png alt}'],
  ['[not a link] (x)', '[not a link] (x)'],
  [
    'see https://x.y/a_b_c?d=1. Or (https://x.y)',
    'see {link https://x.y/a_b_c?d=1 https://x.y/a_b_c?d=1}. Or ({link https://x.y https://x.y})',
  ],
  ['<https://x.y> <b>html</b>', '{link https://x.y https://x.y} <b>html</b>'],
  [String.raw`\*not em\* \\`, String.raw`*not em* \ `.trimEnd()],
  ['**a *b* c**', '{strong a {em b} c}'],
  ['*a **b* c**', '{em a **b} c**'],
  ['$a_b_c$ and $x^*$ or $y^*$', '{math a_b_c} and {math x^*} or {math y^*}'],
  [String.raw`\(a_1 + b_1\), then \[x < y\].`, '{math a_1 + b_1}, then {display x < y}.'],
  ['**sum $\\sum_i a_i$** and $$\\frac{1}{2}$$', '{strong sum {math \\sum_i a_i}} and {display \\frac{1}{2}}'],
  ['the $n$th, $k$-th and ($m$)', 'the {math n}th, {math k}-th and ({math m})'],
  ['$2 \\times 3$ is $6$.', '{math 2 \\times 3} is {math 6}.'],
  ['$5 and $6, or US$5/US$6', '$5 and $6, or US$5/US$6'],
  ['from $3.50-$4.00 to $5M ($6M)', 'from $3.50-$4.00 to $5M ($6M)'],
  ['I had $5. You had 6$.', 'I had $5. You had 6$.'],
  ['$HOME/bin:$PATH, $(x)$(y), a$b$c', '$HOME/bin:$PATH, $(x)$(y), a$b$c'],
  [String.raw`\$5 and \$6, see \[1\]`, '$5 and $6, see [1]'],
  ['`$x$` and $ x $ and $x', '{code $x$} and $ x $ and $x'],
  [String.raw`$\$5$ and $a\\$`, String.raw`{math \$5} and {math a\\}`],
])('parses %j as %j', (text, expected) => {
  const parts = parseInline(text);

  expect(outline(parts)).toBe(expected);
});

test('merges adjacent texts, so that a search finds matches across them', () => {
  const parts = parseInline('a_b [c] * d ~ ]');

  expect(parts).toEqual([{ type: 'text', text: 'a_b [c] * d ~ ]' }]);
});

test('parses the blocks of a document', () => {
  const text =
    '# Title #\r\n\r\nA paragraph\nof two lines\n- one\n  more\n\n  - nested\n- [x] done\n\n1. first\n2. second\n\n> quoted\n> - in a list\n\n```ts\nlet a;\n\n# no heading\n```\n***\n| a | b |\n|:-:|--:|\n| 1 | x \\| y |';

  const blocks = parseMarkdown(text);

  expect(blocks).toEqual([
    { type: 'heading', level: 1, text: 'Title' },
    { type: 'paragraph', text: 'A paragraph\nof two lines' },
    {
      type: 'list',
      start: undefined,
      items: [
        {
          blocks: [
            { type: 'paragraph', text: 'one\nmore' },
            { type: 'list', start: undefined, items: [{ blocks: [{ type: 'paragraph', text: 'nested' }] }] },
          ],
        },
        { isDone: true, blocks: [{ type: 'paragraph', text: 'done' }] },
      ],
    },
    {
      type: 'list',
      start: 1,
      items: [{ blocks: [{ type: 'paragraph', text: 'first' }] }, { blocks: [{ type: 'paragraph', text: 'second' }] }],
    },
    {
      type: 'quote',
      blocks: [
        { type: 'paragraph', text: 'quoted' },
        { type: 'list', start: undefined, items: [{ blocks: [{ type: 'paragraph', text: 'in a list' }] }] },
      ],
    },
    { type: 'code', language: 'ts', text: 'let a;\n\n# no heading' },
    { type: 'rule' },
    { type: 'table', head: ['a', 'b'], rows: [['1', 'x | y']], aligns: ['center', 'right'] },
  ]);
});

test.each([
  ['$$\na\n+ b\n- c\n\n# d\n$$', 'a\n+ b\n- c\n\n# d'],
  [String.raw`\[ x = |y| \]`, 'x = |y|'],
  ['  $$x_1 * y_1 * z$$.', 'x_1 * y_1 * z'],
  [
    String.raw`\begin{align*}
a &= b \\
+ c &= d
\end{align*}`,
    String.raw`\begin{align*}
a &= b \\
+ c &= d
\end{align*}`,
  ],
])('parses the formula %j that has lines of its own', (text, tex) => {
  expect(parseMarkdown(`Before\n${text}\nAfter`)).toEqual([
    { type: 'paragraph', text: 'Before' },
    { type: 'math', text: tex, source: text.trim() },
    { type: 'paragraph', text: 'After' },
  ]);
});

test.each([
  '$$',
  '$$5 is the price',
  '$$a$$ and $$b$$',
  String.raw`\[1\]`,
  '$$ a\n\nb $$',
  String.raw`\begin{align} a`,
])('parses %j as a paragraph, not as a formula', (text) => {
  const blocks = parseMarkdown(text);

  expect(blocks.map(({ type }) => type)).not.toContain('math');
  expect(blocks.length).toBeGreaterThan(0);
});

test('extends an unclosed fence to the end, and starts no list with a year', () => {
  const blocks = parseMarkdown('It was in\n1984. Then\n\n```\nopen');

  expect(blocks).toEqual([
    { type: 'paragraph', text: 'It was in\n1984. Then' },
    { type: 'code', language: '', text: 'open' },
  ]);
});

const SIGNS = [
  '*',
  '_',
  '**',
  '`',
  '```',
  '[',
  ']',
  '(',
  ')',
  '![',
  '](',
  '<',
  '>',
  '#',
  '- ',
  '1. ',
  '|',
  '|-|',
  '\n',
  '\n\n',
  ' ',
  '  ',
  '~~',
  '\\',
  'a',
  'http://',
  '@',
  '.',
  '"',
  '$',
  '$$',
  '\\(',
  '\\)',
];

test('preserves all words, whatever signs are between them', () => {
  const parts = fc.array(fc.oneof(fc.constantFrom(...SIGNS), fc.stringMatching(/^w[a-z]{3,6}x$/)), { maxLength: 60 });
  fc.assert(
    fc.property(parts, (given) => {
      const shown = JSON.stringify(parseMarkdown(given.join('')), (key, value) =>
        key === 'text' ? `${value} ${outline(parseInline(value))}` : value,
      );

      for (const word of given.filter((part) => /^w[a-z]+x$/.test(part))) {
        const isTitle = given.includes('"') || given.includes('```') || given.includes('|');
        if (!isTitle) expect(shown).toContain(word);
      }
    }),
  );
});

test.each([
  '_a*',
  '__a_ ',
  'a.',
  '*',
  '[',
  '[a](',
  '](',
  '> ',
  '- ',
  '1. ',
  '>',
  '`',
  '`a ',
  '``a` ',
  '```\n',
  '|',
  '|a|\n|-|\n',
  '\n',
  ' ',
  '#',
  '~~a',
  '**a ',
  '*a _b ',
  'http://',
  'http://a)',
  '<http://',
  '![',
  '$',
  '$a ',
  '$$\n',
  '$$a\n',
  '\\(',
  '\\[a\n',
  '\\',
  '\\begin{align}\n',
])(
  'parses 64 KB of %j in time',
  (sign) => {
    const text = sign.repeat(Math.ceil(65_536 / sign.length));

    const blocks = parseMarkdown(text);
    const lines = blocks.flatMap((block) => (block.type === 'paragraph' ? [parseInline(block.text)] : []));

    expect(blocks.length + lines.length).toBeGreaterThanOrEqual(text.trim() === '' ? 0 : 1);
  },
  2_000,
);
