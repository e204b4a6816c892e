import { CopyButton } from './copy.tsx';

/** Code to copy and run. */
export function Snippet({ code }: { readonly code: string }) {
  return (
    <div class="snippet">
      <pre>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  );
}
