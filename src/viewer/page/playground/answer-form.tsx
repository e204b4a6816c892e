import { useState } from 'preact/hooks';
import { pythonStrip } from '../../../core/index.ts';
import type { TerminalTool } from '../../../protocol/index.ts';
import './form/form.css';

interface Props {
  readonly terminalTool: TerminalTool;
  readonly isDisabled: boolean;
  readonly onAnswer: (text: string) => void;
}

/** Form for the final message, which a terminal tool grades. */
export function AnswerForm({ terminalTool: { arg, description = '' }, isDisabled, onAnswer }: Props) {
  const [text, setText] = useState('');
  const submit = () => !isDisabled && onAnswer(pythonStrip(text));
  return (
    <form
      class="form stack play-answer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit()}
    >
      <h2>Final message</h2>
      {description !== '' && <p class="wrapped form-description">{description}</p>}
      {typeof arg === 'string' ? (
        <textarea
          class="form-text form-long"
          aria-label="Final message"
          rows={4}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      ) : (
        <small>The environment grades the episode without a text.</small>
      )}
      <footer class="row">
        <button type="submit" class="primary" disabled={isDisabled}>
          Submit and end
        </button>
      </footer>
    </form>
  );
}
