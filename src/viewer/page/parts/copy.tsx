import { useState } from 'preact/hooks';

const MESSAGE_MS = 1_200;

/** Button that copies a text, or the result of a function. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string);
  readonly label?: string;
}) {
  const [message, setMessage] = useState<string>();
  const copy = async () => {
    // Remote pages without TLS have no clipboard.
    const isCopied = await navigator.clipboard?.writeText(typeof text === 'string' ? text : text()).then(
      () => true,
      () => false,
    );
    setMessage(isCopied ? 'Copied' : 'Press Ctrl-C');
    setTimeout(() => setMessage(undefined), MESSAGE_MS);
  };
  return (
    <button
      type="button"
      class="quiet copy"
      title={typeof text === 'string' && text.length < 200 ? `Copy ${text}` : 'Copy'}
      onClick={copy}
    >
      {message ?? label}
    </button>
  );
}

/** Code with a copy button. */
export function Snippet({ code }: { readonly code: string }) {
  return (
    <div class="snippet sunken">
      <pre>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  );
}

/** Saves bytes as a file; characters that file systems reject become `_`. */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them
  link.download = name.replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, '_');
  link.click();
  // By then the browser has opened the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
