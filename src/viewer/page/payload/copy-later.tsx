import { useState } from 'preact/hooks';

const SHOWN_MS = 1_200;

/** A button that copies a text which is made when it is wanted. */
export function CopyLater({ text, label = 'Copy' }: { readonly text: () => string; readonly label?: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    // Pages that are not of this machine and not over TLS have no clipboard.
    const isCopied = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? 'Copied' : 'Press Ctrl-C');
    setTimeout(() => setSaid(undefined), SHOWN_MS);
  };
  return (
    <button type="button" class="quiet copy" onClick={copy}>
      {said ?? label}
    </button>
  );
}
