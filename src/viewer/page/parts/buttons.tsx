import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatBytes } from '../../../core/index.ts';
import { asRequestError } from '../api/request-error.ts';

const MESSAGE_MS = 1_200;

interface IconButtonProps {
  readonly label: string;
  /** Key that does the same, for the tooltip. */
  readonly shortcut?: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** Button with a sign instead of text. */
export const IconButton = ({ label, shortcut, onClick, children }: IconButtonProps) => (
  <button
    type="button"
    class="quiet"
    aria-label={label}
    title={shortcut === undefined ? label : `${label}: ${shortcut}`}
    onClick={onClick}
  >
    {children}
  </button>
);

interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label?: string;
}

/** Button that copies a text, or the result of a function. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [message, setMessage] = useState<string>();
  const copy = async () => {
    try {
      // Remote pages without TLS have no clipboard.
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setMessage('Copied');
    } catch {
      setMessage('Press Ctrl-C');
    }
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
    <div class="snippet sunken corner">
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: file systems reject control characters
  link.download = name.replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, '_');
  link.click();
  // By then the browser has opened the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

interface FileDownload {
  /** Progress or error. */
  readonly message: string | undefined;
  readonly isRunning: boolean;
  /** Saves a file once it is loaded; resolves with false if that failed. */
  readonly download: (format: string, file: Promise<Blob>, name: string) => Promise<boolean>;
}

/** Downloads exports, with a message about the last one. */
export function useDownload(): FileDownload {
  const [{ message, isRunning }, setState] = useState<Omit<FileDownload, 'download'>>(IDLE);
  const download = async (format: string, file: Promise<Blob>, name: string) => {
    setState({ message: `Exporting ${format} …`, isRunning: true });
    try {
      const blob = await file;
      downloadFile(blob, name);
      setState({ message: `${formatBytes(blob.size)} of ${format} saved`, isRunning: false });
      return true;
    } catch (error) {
      setState({ message: `Not exported: ${asRequestError(error).message}`, isRunning: false });
      return false;
    }
  };
  return { message, isRunning, download };
}

const IDLE = { message: undefined, isRunning: false };
