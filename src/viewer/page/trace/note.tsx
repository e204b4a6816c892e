import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { useCanWrite, useOrganization } from '../api/access.ts';
import { useHash } from '../api/location.ts';
import { asRequestError } from '../api/request-error.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { QuietButton } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import type { PanelProps } from '../scores/panel.tsx';

interface Props {
  readonly trace: Trace;
  readonly onSaved: (trace: Trace) => void;
}

/** Note about a trace: `metadata.note`. */
export function TraceNote({ trace, onSaved }: Props) {
  const mayWrite = useCanWrite();
  const [isEdited, setEdited] = useState(false);
  const note = noteOf(trace);
  if (isEdited) return <Editor trace={trace} onSaved={onSaved} onClose={() => setEdited(false)} />;
  return (
    <div class="tr-note">
      {note && (
        <p class="wrapped">
          <VisibleText text={note} />
        </p>
      )}
      {mayWrite && <QuietButton onClick={() => setEdited(true)}>{note ? 'Edit note' : 'Add note'}</QuietButton>}
      <ScoresButton of={{ trace_id: trace.id }} />
    </div>
  );
}

/** Opens the scores of a trace or a run, whose code is loaded when the button is pressed. */
export function ScoresButton({ of }: Pick<PanelProps, 'of'>) {
  const [Panel, setPanel] = useState<ComponentType<PanelProps>>();
  const block = useHash();
  const open = () => import('../scores/panel.tsx').then(({ ScorePanel }) => setPanel(() => ScorePanel));
  useShortcuts({ S: { description: 'show scores and comments', run: open } });
  return (
    <>
      <QuietButton onClick={open}>Scores</QuietButton>
      {Panel && (
        <Dialog title="Scores" onClose={() => setPanel(undefined)}>
          <Panel of={of} block={block || undefined} />
        </Dialog>
      )}
    </>
  );
}

function Editor({ trace, onSaved, onClose }: Props & { readonly onClose: () => void }) {
  const org = useOrganization();
  const [before, setBefore] = useState(noteOf(trace));
  const [text, setText] = useState(before);
  const [message, setMessage] = useState<string>();
  const save = async () => {
    try {
      setMessage('Saving …');
      const params = { path: { org, traceId: trace.id } };
      const { metadata } = await unwrapResponse(traceApi.getTrace({ params }));
      const now = noteOf({ metadata });
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

const noteOf = ({ metadata }: Pick<Trace, 'metadata'>): string =>
  typeof metadata.note === 'string' ? metadata.note : '';
