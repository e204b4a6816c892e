import { useRef, useState } from 'preact/hooks';
import { useOrganization } from '../api/access.ts';
import { asRequestError } from '../api/failure.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { downloadFile } from '../parts/save-file.ts';

const FORMATS = [
  ['jsonl', 'jsonl', 'JSON lines: all that is stored'],
  ['openai', 'openai.jsonl', 'OpenAI: messages for fine-tuning'],
  ['sharegpt', 'sharegpt.jsonl', 'ShareGPT: conversations'],
  ['atif', 'atif.json', 'ATIF: agent trajectories'],
  ['otlp-json', 'otlp.json', 'OTLP: spans, as JSON'],
] as const;

type Format = (typeof FORMATS)[number];

/** Saves the trace as a file, in one of the formats of the store. */
export function ExportMenu({ traceId }: { readonly traceId: string }) {
  const org = useOrganization();
  const menu = useRef<HTMLDetailsElement>(null);
  const [output, setSaid] = useState<string>();
  const save = async ([format, ending]: Format) => {
    setSaid('Exporting …');
    try {
      const path = { org, traceId };
      const blob = await unwrapResponse(traceApi.exportTrace({ params: { path, query: { format } } }));
      downloadFile(blob, `${traceId}.${ending}`);
      setSaid(undefined);
      menu.current?.removeAttribute('open');
    } catch (error) {
      setSaid(`Not exported: ${asRequestError(error).message}`);
    }
  };
  return (
    <details class="tr-menu" ref={menu} onToggle={() => setSaid(undefined)}>
      <summary class="button">Export</summary>
      <div class="tr-menu-items">
        {FORMATS.map((format) => (
          <button key={format[0]} type="button" class="quiet" data-format={format[0]} onClick={() => save(format)}>
            {format[2]}
          </button>
        ))}
        {output && <p role="status">{output}</p>}
      </div>
    </details>
  );
}
