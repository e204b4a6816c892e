import { CliError } from '../failure.ts';
import { createLinePrompt, InputEndedError } from '../play/questions.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';

/** Asks a person whether something that cannot be undone is meant. @throws Failure if it is not, or nobody is there. */
export async function confirm(question: string): Promise<void> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) throw new CliError(`nobody is here to answer '${question}'; say yes by --yes`);
  using interrupts = listenForInterrupts();
  const { signal, interrupt } = interrupts;
  using questions = createLinePrompt({ input, output, signal, onInterrupt: () => interrupt('SIGINT') });
  const response = await questions.ask(`${question} [y/N] `).catch((error: unknown) => {
    if (error instanceof InputEndedError) return '';
    throw error;
  });
  if (!/^y(es)?$/i.test(response.trim())) throw new CliError('nothing was deleted');
}
