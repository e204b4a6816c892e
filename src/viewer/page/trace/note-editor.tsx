import { useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { useOrganization } from '../api/access.ts';
import { asRequestError } from '../api/request-error.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { QuietButton } from '../parts/buttons.tsx';
import { readNote } from '../parts/trace-info.ts';

export interface NoteEditorProps {
  readonly trace: Trace;
  readonly onSaved: (trace: Trace) => void;
  readonly onClose: () => void;
}

/** Form for the note about a trace. */
export function NoteEditor({ trace, onSaved, onClose }: NoteEditorProps) {
  const org = useOrganization();
  const [before, setBefore] = useState(readNote(trace));
  const [text, setText] = useState(before);
  const [message, setMessage] = useState<string>();
  const save = async () => {
    try {
      setMessage('Saving …');
      const params = { path: { org, traceId: trace.id } };
      const { metadata } = await unwrapResponse(traceApi.getTrace({ params }));
      const now = readNote({ metadata });
      if (now !== before) {
        setBefore(now);
        return setMessage(`The note was changed in the meantime: “${now}”. Save again to replace it.`);
      }
      const { note: _, ...others } = metadata;
      const changed = text.trim() === '' ? others : { ...others, note: text };
      onSaved(await unwrapResponse(traceApi.updateTrace({ params, body: { metadata: changed } })));
      onClose();
    } catch (error) {
      setMessage(`Not saved: ${asRequestError(error).message}`);
    }
  };
  return (
    <form
      class="tr-note"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        aria-label="Note"
        rows={3}
        value={text}
        placeholder="Note about this trace"
        autofocus
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <div class="row">
        <button type="submit" class="primary">
          Save
        </button>
        <QuietButton onClick={onClose}>Cancel</QuietButton>
        {message && <small role="status">{message}</small>}
      </div>
    </form>
  );
}
