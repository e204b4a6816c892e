import type { Break } from './break.ts';

const LARGE = 'shows the exact size of 2 MB of text, opens it without blocking, and scrolls to its end';
const PICTURES = 'shows PNG and JPEG in their rows and enlarged in a dialog, which Escape closes';
const SIGNS = 'shows invisible characters by number, and escape sequences of terminals as colours';

/** Breaks of payloads. */
export const breaksOfPayloads: readonly Break[] = [
  {
    point: 5,
    does: 'characters are counted as bytes',
    source: 'viewer/page/payload/text.tsx',
    find: 'exactBytes(bytes)',
    replace: 'exactBytes(text.length)',
    test: { file: 'payloads', name: LARGE, says: 'bytes' },
  },
  {
    point: 5,
    does: 'the last slice of a long text is not rendered',
    source: 'viewer/page/payload/long-text.tsx',
    find: 'slices?.slice(section?.from, section?.to).map(',
    replace: 'slices?.slice(section?.from, section?.to).slice(0, -1).map(',
    test: { file: 'payloads', name: LARGE, says: 'and this is its end' },
  },
  {
    point: 5,
    does: 'all of a long text is rendered at once',
    source: 'viewer/page/payload/long-text.tsx',
    find: 'useNearViewport(watch, element, index < 2);',
    replace: 'useNearViewport(watch, element, index < 2) || true;',
    test: { file: 'payloads', name: LARGE, says: 'textContent.length' },
  },
  {
    point: 6,
    does: 'JPEG is rejected',
    source: 'viewer/page/payload/read-output.ts',
    find: String.raw`/^image\/[\w.+-]{1,80}$/`,
    replace: String.raw`/^image\/png$/`,
    test: { file: 'payloads', name: PICTURES, says: 'all.length === 2' },
  },
  {
    point: 6,
    does: 'Escape does not remove an enlarged image',
    source: 'viewer/page/parts/dialog.tsx',
    find: 'onClose={onClose}',
    replace: '',
    test: { file: 'payloads', name: PICTURES, says: "!document.querySelector('dialog')" },
  },
  {
    point: 6,
    does: 'invalid base64 is passed to the browser',
    source: 'viewer/page/payload/read-output.ts',
    find: 'if (!BASE64.test(text)) return { problem: problemOf(text) };',
    replace: '',
    test: {
      file: 'payloads',
      name: 'shows why an image is invalid in its place',
      says: 'not valid base64: character 10',
    },
  },
  {
    point: 19,
    does: 'metadata looks as if the model saw it',
    source: 'viewer/page/payload/json-tree.tsx',
    find: '<small>not shown to the model</small>',
    replace: '',
    test: {
      file: 'payloads',
      name: 'marks metadata of a tool output as not shown to the model',
      says: 'expect(summary)',
    },
  },
  {
    point: 20,
    does: 'text is inserted as HTML',
    source: 'viewer/page/parts/visible-text.tsx',
    find: 'return <>{text}</>;',
    replace: 'return <span dangerouslySetInnerHTML={{ __html: text }} />;',
    test: { file: 'payloads', name: 'shows the hostile payload script without effects', says: 'expect(inserted)' },
  },
  {
    point: 20,
    does: 'links may run scripts',
    source: 'viewer/page/payload/markdown.tsx',
    find: String.raw`/^(?:https?:\/\/|mailto:)/i.test(href) && `,
    replace: '',
    test: { file: 'payloads', name: 'shows the hostile payload script without effects', says: 'expect(links' },
  },
  ...signs([
    ['direction marks take effect', String.raw`\u2028-\u202e`, String.raw`\u2028-\u2029`, 'U+202E'],
    ['NUL is invisible', String.raw`[\0-\x08`, String.raw`[\x01-\x08`, 'U+0000'],
    ['lone surrogates are invisible', String.raw`\ud800-\udfff`, '', 'U+D800'],
  ]),
  {
    point: 20,
    does: 'terminal colours are dropped',
    source: 'viewer/page/payload/text.tsx',
    find: "as === 'ansi' && hasAnsi(text)",
    replace: 'hasAnsi(text) && false',
    test: { file: 'payloads', name: SIGNS, says: '--bad' },
  },
];

type Sign = readonly [does: string, find: string, replace: string, says: string];

function signs(rows: readonly Sign[]): readonly Break[] {
  const common = { point: 20, source: 'viewer/page/parts/text-segments.ts' };
  return rows.map(([does, find, replace, says]) => ({
    ...common,
    does,
    find,
    replace,
    test: { file: 'payloads', name: SIGNS, says },
  }));
}
