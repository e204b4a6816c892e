import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { message, ORG, post } from './stores.ts';

/** Texts with NUL, lone surrogates and what looks like their escapes, each with the text that SQL views show. */
export const ODD_TEXTS: readonly (readonly [text: string, shown: string])[] = [
  ['plain é💩', 'plain é💩'],
  ['\0a\0\0b', '\uFFFDa\uFFFD\uFFFDb'],
  ['\ud83d', '\uFFFD'],
  ['\udca9\ud83d\ud83d💩\ud83d', '\uFFFD\uFFFD\uFFFD💩\uFFFD'],
  [String.raw`\u0000 \ud83d \\ud83d`, String.raw`\u0000 \ud83d \\ud83d`],
  [`\\\0\\\\\ud83d"\ud83d\\`, `\\\uFFFD\\\\\uFFFD"\uFFFD\\`],
  ['\u0001 \b \n [","]', '\u0001 \b \n [","]'],
];

/** Writes a trace tr_odd with a message for each of these texts. */
export async function fillWithOddTexts(store: TraceStore): Promise<void> {
  await store.createTrace(ORG, { id: 'tr_odd', metadata: { note: '\0 \ud83d' } });
  const blocks = ODD_TEXTS.map(([text], index) => ({
    ...message(),
    id: `tb_odd_${index}`,
    payload: { role: 'user', content: text },
    extra: { note: text },
  }));
  await post(store, 'tr_odd', { blocks });
}
