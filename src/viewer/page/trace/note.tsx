import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useCanWrite } from '../api/access.ts';
import { useHash } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { QuietButton } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { lazy } from '../parts/states.tsx';
import { readNote } from '../parts/trace-info.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import type { PanelProps } from '../scores/panel.tsx';
import type { NoteEditorProps } from './note-editor.tsx';

/** Loaded when a note is edited. */
const Editor = lazy(() => import('./note-editor.tsx').then((it) => it.NoteEditor));

/** Note about a trace: `metadata.note`. */
export function TraceNote({ trace, onSaved }: Omit<NoteEditorProps, 'onClose'>) {
  const mayWrite = useCanWrite();
  const [isEdited, setEdited] = useState(false);
  const note = readNote(trace);
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
