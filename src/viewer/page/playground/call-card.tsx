import { useState } from 'preact/hooks';
import { formatDuration } from '../../../core/index.ts';
import { statusNote } from '../api/request-error.ts';
import { Reward } from '../parts/badges.tsx';
import { useNow } from '../parts/hooks.ts';
import { JsonTree, OrsBlocks } from '../payload/index.ts';
import type { PlaygroundCallOutcome } from './call-outcome.ts';
import type { PlaygroundCall } from './use-episode.ts';

interface Props {
  readonly call: PlaygroundCall;
  readonly number: number;
}

/** Shows a call and its result. */
export function CallCard({ call: { tool, input, answer, ms, outcome, failure }, number }: Props) {
  return (
    <li class="card stack play-call">
      <header class="row">
        <small>{number}</small>
        {answer === undefined ? <code>{tool}</code> : <strong>Final message</strong>}
        <span class="spring" />
        {outcome?.kind === 'output' && <Reward value={outcome.output.reward} />}
        {ms === undefined ? <Running /> : <small title={`${ms.toFixed(1)} ms`}>{formatDuration(ms)}</small>}
      </header>
      {Object.keys(input).length > 0 && (
        <div class="sunken play-input">
          {answer === undefined ? (
            <JsonTree value={input} openDepth={2} />
          ) : (
            <OrsBlocks blocks={[{ type: 'text', text: answer }]} as="markdown" />
          )}
        </div>
      )}
      {outcome && <Result outcome={outcome} />}
      {failure && (
        <p class="play-error" role="alert">
          <strong>No result{statusNote(failure)}:</strong> {failure.message}
        </p>
      )}
    </li>
  );
}

function Result({ outcome }: { readonly outcome: PlaygroundCallOutcome }) {
  if (outcome.kind !== 'output')
    return (
      <div class="play-error" role="alert">
        <strong>
          {outcome.kind === 'crashed' && 'The tool failed:'}
          {outcome.kind === 'refused' && (outcome.reason ? `Refused (${outcome.reason}):` : 'Tool error:')}
        </strong>
        <pre>{outcome.error}</pre>
      </div>
    );
  const { blocks, finished, metadata } = outcome.output;
  return (
    <>
      <OrsBlocks blocks={blocks} />
      {metadata && (
        <details class="muted">
          <summary>Not shown to the model: metadata</summary>
          <JsonTree value={metadata} />
        </details>
      )}
      {finished && <small>This call finished the episode.</small>}
    </>
  );
}

const TICK_MS = 100;

function Running() {
  const [started] = useState(Date.now());
  return (
    <small class="status status-running" role="status" aria-label="The tool runs">
      {formatDuration(useNow(TICK_MS) - started)}
    </small>
  );
}
