import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallResult } from '../../client/index.ts';
import { formatNumber, oneLine, stripControls, truncate } from '../../core/index.ts';
import { createFile, makeFolder } from '../../core/node/index.ts';
import {
  type Block,
  flattenMessages,
  type ImageBlock,
  type Message,
  type TerminalTool,
  type ToolSpec,
} from '../../protocol/index.ts';
import { type Parameter, toolInput } from '../remote/tool-input.ts';
import { padAll, safeJson, type Terminal, wrapText } from './terminal.ts';

/** Prints a conversation: one message of the user as its blocks, all others with a heading for each message. */
export async function printMessages(
  messages: readonly Message[],
  terminal: Terminal,
  images: ImageFolder,
): Promise<void> {
  for (const block of flattenMessages(messages)) {
    const isHeading = block.type === 'text' && typeof block.detail?.role === 'string';
    if (isHeading) terminal.print(`${terminal.style('bold', oneLine(block.text))}\n`);
    else await printBlocks([block], terminal, images);
  }
}

/** Prints blocks in order. Images are saved, and drawn if the terminal supports it. */
export async function printBlocks(blocks: readonly Block[], terminal: Terminal, images: ImageFolder): Promise<void> {
  for (const block of blocks) {
    if (block.type === 'text') printText(block.text, terminal);
    else if (block.type === 'image') await printImage(block, terminal, images);
    // A later version of the standard may add types of blocks.
    else terminal.print(`${safeJson(block)}\n`);
  }
}

// Text is wrapped on a terminal only.
function printText(text: string, terminal: Terminal): void {
  const shown = stripControls(text);
  terminal.print(`${terminal.isInteractive ? wrapText(shown, terminal.width) : shown}\n`);
}

async function printImage(block: ImageBlock, terminal: Terminal, images: ImageFolder): Promise<void> {
  const path = await images.save(block);
  const drawn = terminal.isInteractive ? inlineImage(block, process.env) : undefined;
  terminal.print(`${drawn ?? ''}${terminal.style('dim', `[${oneLine(block.mimeType)} saved as ${path}]`)}\n`);
}

/** Prints the result of a call: its blocks, a line with reward and `finished`, and the metadata. */
export async function printResult(
  { blocks, reward, finished, metadata }: Pick<CallResult, 'blocks' | 'reward' | 'finished' | 'metadata'>,
  terminal: Terminal,
  images: ImageFolder,
  ...more: readonly string[]
): Promise<void> {
  await printBlocks(blocks, terminal, images);
  const facts = [
    reward === null ? 'no reward' : `reward ${formatNumber(reward, 12)}`,
    ...more,
    ...(finished ? ['finished'] : []),
  ];
  terminal.print(`${terminal.style('yellow', facts.join(' · '))}\n`);
  if (metadata !== null) terminal.print(`${terminal.style('dim', `metadata ${safeJson(metadata)}`)}\n`);
}

/** File extensions by media type; names from the server are never used as file names. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg',
};

export type ImageFolder = ReturnType<typeof imageFolder>;

/**
 * Saves images as numbered files, such as `1.png`, and never overwrites a file.
 *
 * @param folder created for the first image. @default a new temporary folder
 */
export function imageFolder(folder?: string) {
  let made: Promise<string> | undefined;
  let number = 0;
  const make = async () => {
    if (folder === undefined) return mkdtemp(join(tmpdir(), 'ors-images-'));
    await makeFolder(folder);
    return folder;
  };
  return {
    /** @returns the path of the file. */
    async save({ data, mimeType }: ImageBlock): Promise<string> {
      made ??= make();
      const into = await made;
      const extension = EXTENSIONS[mimeType.toLowerCase()] ?? 'bin';
      for (;;) {
        const path = join(into, `${++number}.${extension}`);
        if (await createFile(path, Buffer.from(data, 'base64'))) return path;
      }
    },
  };
}

const KITTY_CHUNK = 4096;

/**
 * Encodes an image for terminals that support the protocol of kitty or iTerm2; undefined for other terminals, and for tmux
 * and screen, which would show the data as text.
 */
export function inlineImage({ data, mimeType }: ImageBlock, env: NodeJS.ProcessEnv): string | undefined {
  if (env.TMUX || /^(screen|tmux)/.test(env.TERM ?? '')) return undefined;
  const bytes = Buffer.from(data, 'base64');
  // Encoded again: the server's text may contain escape sequences.
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

/** Formats a line per tool: its name and the beginning of its description. */
export function toolLines(tools: readonly ToolSpec[], terminal: Terminal, indent: string): string {
  const names = padAll(tools.map(({ name }) => oneLine(name)));
  const lines = tools.map(({ description }, index) => {
    const name = names[index] ?? '';
    const width = terminal.width - indent.length - name.length - 2;
    return `${indent}${terminal.style('cyan', name)}  ${truncate(oneLine(description), width)}\n`;
  });
  return lines.join('');
}

/** Formats tools with their parameters. */
export function toolDetails(tools: readonly ToolSpec[], terminal: Terminal, indent: string): string {
  return tools
    .map(({ name, description, input_schema }) => {
      const { parameters } = toolInput(input_schema);
      const lines = parameters.map((parameter) => parameterLines(parameter, terminal, `${indent}    `));
      const about = wrapText(stripControls(description), terminal.width, `${indent}  `);
      return `${indent}${terminal.style('cyan', oneLine(name))}\n${about}\n${lines.join('')}`;
    })
    .join('\n');
}

/** Formats the tool that grades the final message of an agent. */
export function terminalToolDetails({ name, description = '' }: TerminalTool, terminal: Terminal, indent: string) {
  const about = wrapText(stripControls(description), terminal.width, `${indent}    `);
  const graded = `${indent}  graded by ${terminal.style('cyan', oneLine(name))}\n`;
  return `${indent}final message\n${graded}${about && `${about}\n`}`;
}

function parameterLines(parameter: Parameter, terminal: Terminal, indent: string): string {
  const name = oneLine(parameter.name);
  const [head = '', ...rest] = wrapText(`${name}  ${describeParameter(parameter)}`, terminal.width, indent).split('\n');
  const first = head.replace(name, () => terminal.style('bold', name));
  const about = wrapText(stripControls(parameter.description), terminal.width, `${indent}  `);
  return `${[first, ...rest.map((line) => `  ${line}`), ...(about ? [about] : [])].join('\n')}\n`;
}

/** Formats the type of a parameter, whether it is required, and its default. */
export function describeParameter({ type, required, default: value }: Parameter): string {
  const state = value === undefined ? (required ? 'required' : 'optional') : `default ${safeJson(value)}`;
  return `${oneLine(type)}, ${state}`;
}
