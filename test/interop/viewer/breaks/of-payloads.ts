import type { Break } from './break.ts';

const LARGE = '2 MB of text tell their exact size, open without blocking, and can be read to the end';
const PICTURES = 'PNG and JPEG are shown in their rows, large in a dialog, and Escape closes it';
const SIGNS = 'what cannot be seen is shown by its number, and escapes of terminals become colours';

/** Against what stands in a block. */
export const breaksOfPayloads: readonly Break[] = [
  {
    point: 5,
    does: 'characters are told as bytes',
    source: 'viewer/page/payload/text.tsx',
    find: 'exactBytes(bytes)',
    replace: 'exactBytes(text.length)',
    test: { file: 'payloads', name: LARGE, says: 'bytes' },
  },
  {
    point: 5,
    does: 'the last part of a long text is not drawn',
    source: 'viewer/page/payload/long-text.tsx',
    find: '{slices?.map((slice, index) => (',
    replace: '{slices?.slice(0, -1).map((slice, index) => (',
    test: { file: 'payloads', name: LARGE, says: 'and this is its end' },
  },
  {
    point: 5,
    does: 'all of a long text is drawn at once',
    source: 'viewer/page/payload/long-text.tsx',
    find: 'useNear(watch, element, index < 2);',
    replace: 'useNear(watch, element, index < 2) || true;',
    test: { file: 'payloads', name: LARGE, says: 'textContent.length' },
  },
  {
    point: 6,
    does: 'JPEG is no picture',
    source: 'viewer/page/payload/picture-data.ts',
    find: String.raw`/^image\/[\w.+-]{1,80}$/`,
    replace: String.raw`/^image\/png$/`,
    test: { file: 'payloads', name: PICTURES, says: 'all.length === 2' },
  },
  {
    point: 6,
    does: 'Escape leaves a large picture behind',
    source: 'viewer/page/parts/dialog.tsx',
    find: 'onClose={onClose}',
    replace: '',
    test: { file: 'payloads', name: PICTURES, says: "!document.querySelector('dialog')" },
  },
  {
    point: 6,
    does: 'what is no base64 is given to the browser',
    source: 'viewer/page/payload/picture-data.ts',
    find: 'if (!BASE64.test(text)) return { problem: problemOf(text) };',
    replace: '',
    test: { file: 'payloads', name: 'what is no picture says so in its place', says: 'no base64: character 10' },
  },
  {
    point: 19,
    does: 'metadata looks like something that the model was shown',
    source: 'viewer/page/payload/unseen.tsx',
    find: '<small>not shown to the model</small>',
    replace: '',
    test: { file: 'payloads', name: 'metadata of a tool output is marked as not shown', says: 'expect(summary)' },
  },
  {
    point: 20,
    does: 'text is inserted as HTML',
    source: 'viewer/page/payload/shown.tsx',
    find: 'return <>{text}</>;',
    replace: 'return <span dangerouslySetInnerHTML={{ __html: text }} />;',
    test: { file: 'payloads', name: 'the hostile payload script is shown, and does nothing', says: 'expect(inserted)' },
  },
  {
    point: 20,
    does: 'links lead to scripts',
    source: 'viewer/page/payload/markdown.tsx',
    find: String.raw`/^(?:https?:\/\/|mailto:)/i.test(href) && `,
    replace: '',
    test: { file: 'payloads', name: 'the hostile payload script is shown, and does nothing', says: 'expect(links' },
  },
  ...signs([
    ['marks that turn the direction of writing work', String.raw`\u2028-\u202e`, String.raw`\u2028-\u2029`, 'U+202E'],
    ['NUL is not seen', String.raw`[\0-\x08`, String.raw`[\x01-\x08`, 'U+0000'],
    ['halves of characters are not seen', String.raw`\ud800-\udfff`, '', 'U+D800'],
  ]),
  {
    point: 20,
    does: 'colours of terminals are left out',
    source: 'viewer/page/payload/text.tsx',
    find: "as === 'ansi' && hasAnsi(text)",
    replace: 'hasAnsi(text) && false',
    test: { file: 'payloads', name: SIGNS, says: '.ansi-1' },
  },
];

type Sign = readonly [does: string, find: string, replace: string, says: string];

function signs(rows: readonly Sign[]): readonly Break[] {
  const common = { point: 20, source: 'viewer/page/payload/controls.ts' };
  return rows.map(([does, find, replace, says]) => ({
    ...common,
    ...{ does, find, replace, test: { file: 'payloads', name: SIGNS, says } },
  }));
}
