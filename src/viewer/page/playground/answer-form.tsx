import { useId, useState } from 'preact/hooks';
import { pythonStrip } from '../../../core/index.ts';
import type { TerminalTool } from '../../../protocol/index.ts';
import './form/form.css';

interface Props {
  readonly terminalTool: TerminalTool;
  readonly isDisabled: boolean;
  readonly onAnswer: (text: string) => void;
}

/** Form for the final message, which a terminal tool grades. Submits an empty text only if the user has emptied it. */
export function AnswerForm({ terminalTool: { arg, description = '' }, isDisabled, onAnswer }: Props) {
  const [text, setText] = useState<string>();
  const [isSubmitted, setSubmitted] = useState(false);
  const problem = useId();
  const isMissing = typeof arg === 'string' && text === undefined;
  const submit = () => {
    setSubmitted(true);
    if (!isDisabled && !isMissing) onAnswer(pythonStrip(text ?? ''));
  };
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
          value={text ?? ''}
          onInput={(event) => setText(event.currentTarget.value)}
          {...(isMissing && isSubmitted && { 'aria-invalid': true, 'aria-describedby': problem })}
        />
      ) : (
        <small>The environment grades the episode without a text.</small>
      )}
      {isMissing && isSubmitted && (
        <ul class="form-problems" id={problem}>
          <li>must be filled in; to submit an empty text, type a character and delete it</li>
        </ul>
      )}
      <footer class="row">
        <button type="submit" class="primary" disabled={isDisabled}>
          Submit and end
        </button>
      </footer>
    </form>
  );
}
