import type { CallResult } from '../../client/index.ts';
import { formatNumber, oneLine, stripControls } from '../../core/index.ts';
import type { Block, ImageBlock } from '../../protocol/index.ts';
import { type ImageFolder, inlineImage } from './images.ts';
import { safeJson } from './safe-json.ts';
import type { Terminal } from './terminal.ts';
import { wrapText } from './wrap.ts';

/** Prints blocks in their order; images are saved, and drawn where the terminal can. */
export async function printBlocks(blocks: readonly Block[], terminal: Terminal, images: ImageFolder): Promise<void> {
  for (const block of blocks) {
    if (block.type === 'text') printText(block.text, terminal);
    else if (block.type === 'image') await printImage(block, terminal, images);
    // A later version of the standard may have blocks of other kinds.
    else terminal.print(`${safeJson(block)}\n`);
  }
}

// Whoever reads a pipe wants the text as it is.
function printText(text: string, terminal: Terminal): void {
  const shown = stripControls(text);
  terminal.print(`${terminal.isInteractive ? wrapText(shown, terminal.width) : shown}\n`);
}

async function printImage(block: ImageBlock, terminal: Terminal, images: ImageFolder): Promise<void> {
  const path = await images.save(block);
  const drawn = terminal.isInteractive ? inlineImage(block, process.env) : undefined;
  terminal.print(`${drawn ?? ''}${terminal.style('dim', `[${oneLine(block.mimeType)} saved as ${path}]`)}\n`);
}

/** Prints what a call gave: its blocks, then a line with reward and end, then the metadata. */
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
