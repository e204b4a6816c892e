import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFile, makeFolder } from '../../core/node/index.ts';
import type { ImageBlock } from '../../protocol/index.ts';

/** By media type; a name of the server's must never become one of a file. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg',
};

/** Saves images into a folder under numbers, `1.png`, and never over a file that is there. */
export interface ImageFolder {
  /** Gives the path of the file. */
  save(image: ImageBlock): Promise<string>;
}

/** @param folder made at the first image. Default: a new one among the system's temporary files. */
export function imageFolder(folder?: string): ImageFolder {
  let made: Promise<string> | undefined;
  let number = 0;
  const make = async () => {
    if (folder === undefined) return mkdtemp(join(tmpdir(), 'ors-images-'));
    await makeFolder(folder);
    return folder;
  };
  return {
    async save({ data, mimeType }) {
      made ??= make();
      const into = await made;
      const ending = ENDINGS[mimeType.toLowerCase()] ?? 'bin';
      for (;;) {
        const path = join(into, `${++number}.${ending}`);
        if (await createFile(path, Buffer.from(data, 'base64'))) return path;
      }
    },
  };
}

const KITTY_CHUNK = 4096;

/**
 * What a terminal draws the image at, by the protocol of kitty or of iTerm2; undefined where it knows none.
 * tmux and screen would show the data as text.
 */
export function inlineImage({ data, mimeType }: ImageBlock, env: NodeJS.ProcessEnv): string | undefined {
  if (env.TMUX || /^(screen|tmux)/.test(env.TERM ?? '')) return undefined;
  const bytes = Buffer.from(data, 'base64');
  // Written anew, since what the server sent may hold anything.
  const base64 = bytes.toString('base64');
  if (/^(iTerm\.app|WezTerm)$/.test(env.TERM_PROGRAM ?? '')) {
    return `\x1b]1337;File=inline=1;size=${bytes.length}:${base64}\x07\n`;
  }
  const isKitty = env.KITTY_WINDOW_ID || /kitty|ghostty/.test(env.TERM ?? '') || env.TERM_PROGRAM === 'ghostty';
  return isKitty && mimeType.toLowerCase() === 'image/png' ? kitty(base64) : undefined;
}

function kitty(base64: string): string {
  const chunks = base64.match(new RegExp(`.{1,${KITTY_CHUNK}}`, 'g')) ?? [];
  const parts = chunks.map((chunk, index) => {
    const first = index === 0 ? 'f=100,a=T,' : '';
    return `\x1b_G${first}m=${index < chunks.length - 1 ? 1 : 0};${chunk}\x1b\\`;
  });
  return `${parts.join('')}\n`;
}
