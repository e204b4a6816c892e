import { useState } from 'preact/hooks';

const SHOWN_MS = 1_200;

/** A button that copies a text, which may be made when it is wanted. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string);
  readonly label?: string;
}) {
  const [output, setSaid] = useState<string>();
  const copy = async () => {
    // Pages that are not of this machine and not over TLS have no clipboard.
    const isCopied = await navigator.clipboard?.writeText(typeof text === 'string' ? text : text()).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? 'Copied' : 'Press Ctrl-C');
    setTimeout(() => setSaid(undefined), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="quiet copy"
      title={typeof text === 'string' && text.length < 200 ? `Copy ${text}` : 'Copy'}
      onClick={copy}
    >
      {output ?? label}
    </button>
  );
}
