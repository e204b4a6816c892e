import { oneLine, shellCommand } from '../../core/index.ts';
import { parametersOf } from '../remote/tool-input.ts';
import type { ImageFolder } from '../terminal/images.ts';
import { printBlocks, printResult } from '../terminal/show-result.ts';
import { toolDetails } from '../terminal/show-tools.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SessionListener, SessionReport } from './session-call.ts';

/** Prints a session as it goes: the prompt, the tools where none was named, the result. */
export function createSessionPrinter(
  terminal: Terminal,
  images: ImageFolder,
  tool: string | undefined,
): SessionListener {
  return {
    async onOpened(prompt, tools) {
      await printBlocks(prompt, terminal, images);
      terminal.print('\n');
      if (tool === undefined) terminal.print(toolDetails(tools, terminal, '  ') || '  This episode has no tools.\n');
    },
    onCalled: (result) => printResult(result, terminal, images),
  };
}

/** Says nothing while it goes. */
export const silentListener: SessionListener = {
  onOpened: async () => undefined,
  onCalled: async () => undefined,
};

/** Says that a live session is closed now. */
export const closedMessage = ({ sid }: SessionReport): string => `session ${oneLine(sid)} is closed\n`;

/** How to go on with a session that is left open. */
export function continueHint(url: string, { environment, sid, tools, result }: SessionReport): string {
  const still = result === null ? '' : ' still';
  const [first] = tools ?? [];
  const needed = parametersOf(first?.input_schema ?? null).filter(({ required }) => required);
  const pairs = needed.map(({ name }) => `${name}=...`);
  const call = shellCommand('ors', 'call', url, environment, first?.name ?? 'TOOL', ...pairs, '--sid', sid);
  const close = shellCommand('ors', 'call', url, environment, '--sid', sid, '--close');
  return `\nThe session is open${still}. To call a tool in it, and to close it:\n  ${call}\n  ${close}\n`;
}
