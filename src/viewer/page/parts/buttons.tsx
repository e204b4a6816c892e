import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { formatBytes } from '../../../core/index.ts';
import { asRequestError } from '../api/request-error.ts';

const MESSAGE_MS = 1_200;

type ButtonProps = ComponentProps<'button'>;

/** Button that does not submit a form. */
export const Button = (props: ButtonProps) => <button type="button" {...props} />;

/** Button without a border. */
export const QuietButton = ({ class: name = '', ...props }: ButtonProps) => (
  <Button class={`quiet ${name}`} {...props} />
);

interface ButtonLinkProps {
  /** Disabled if it is undefined. */
  readonly href: string | undefined;
  /** Label for screen readers, and the tooltip. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Link that looks like a button. */
export function ButtonLink({ href, label, children }: ButtonLinkProps) {
  if (href === undefined) return <Button disabled>{children}</Button>;
  return (
    <a class="button" href={href} aria-label={label} title={label}>
      {children}
    </a>
  );
}

interface SelectProps {
  readonly id?: string;
  readonly class?: string;
  /** Label for screen readers. @default the label element around it */
  readonly label?: string;
  readonly value: string;
  readonly options: Iterable<readonly [value: string, label: string]>;
  readonly onChoose: (value: string) => void;
}

/** Select with an option for each pair of a value and a label. */
export const Select = ({ label, options, onChoose, ...props }: SelectProps) => (
  <select aria-label={label} onChange={(event) => onChoose(event.currentTarget.value)} {...props}>
    {Array.from(options, ([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);

interface IconButtonProps {
  /** Character that is shown. */
  readonly icon: string;
  readonly label: string;
  /** Key that does the same, for the tooltip. */
  readonly shortcut?: string;
  readonly onClick: () => void;
}

/** Button with an icon instead of text. */
export const IconButton = ({ icon, label, shortcut, onClick }: IconButtonProps) => (
  <QuietButton aria-label={label} title={shortcut === undefined ? label : `${label}: ${shortcut}`} onClick={onClick}>
    {icon}
  </QuietButton>
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
    <QuietButton
      class="copy"
      title={typeof text === 'string' && text.length < 200 ? `Copy ${text}` : 'Copy'}
      onClick={copy}
    >
      {message ?? label}
    </QuietButton>
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
function downloadFile(file: Blob, name: string): void {
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
  const [state, setState] = useState<Omit<FileDownload, 'download'>>({ message: undefined, isRunning: false });
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
  return { ...state, download };
}
