import { useState } from 'preact/hooks';
import { truncate } from '../../../core/index.ts';
import { formatReward } from '../parts/amounts.ts';
import { Reward } from '../parts/reward.tsx';
import { TextDiff } from '../payload/index.ts';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref } from '../shell/location.ts';
import type { TraceChange } from './changes.ts';
import type { TraceItem } from './items.ts';

const WORDS = { same: '', result: '≠ result', changed: '~ changed', added: '+ added', removed: '− removed' };
/** Of a text that is not opened. */
const PREVIEW = 400;

interface Props {
  readonly place: number;
  readonly change: TraceChange;
  /** Ids of the traces. */
  readonly left: string;
  readonly right: string;
  readonly isCurrent: boolean;
  /** Until somebody opens or closes it. */
  readonly isOpen: boolean;
}

/** One step of both, or of one. */
export function ChangeRow({ place, change, left, right, isCurrent, isOpen }: Props) {
  const [chosen, setChosen] = useState<boolean>();
  const isShown = chosen ?? isOpen;
  const { kind } = change;
  const canOpen = kind === 'changed' || kind === 'result';
  return (
    <li
      class={`compare-row compare-${kind}`}
      data-place={place}
      tabIndex={-1}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {kind !== 'same' && (
        <p class="compare-kind">
          <b>{WORDS[kind]}</b>
          {canOpen && (
            <button type="button" class="quiet" aria-expanded={isShown} onClick={() => setChosen(!isShown)}>
              {isShown ? 'Hide the difference' : 'Show the difference'}
            </button>
          )}
        </p>
      )}
      {kind === 'same' ? (
        <Half item={change.left} trace={left} also={{ item: change.right, trace: right }} />
      ) : (
        <div class="compare-two">
          <Half item={change.left} trace={left} beside={isShown ? change.right : undefined} />
          <Half item={change.right} trace={right} beside={isShown ? change.left : undefined} />
        </div>
      )}
      {canOpen && isShown && <Details left={change.left} right={change.right} />}
    </li>
  );
}

interface HalfProps {
  readonly item: TraceItem | undefined;
  readonly trace: string;
  /** What it is held against below: texts that differ are shown there. */
  readonly beside?: TraceItem | undefined;
  /** The same in the other trace. */
  readonly also?: { readonly item: TraceItem; readonly trace: string };
}

const blockLink = (trace: string, { id }: TraceItem) => `${buildHref({ view: 'trace', trace })}#${id}`;

function Half({ item, trace, beside, also }: HalfProps) {
  if (!item) return <div class="compare-half compare-none">not there</div>;
  const { title, tool, text, result, isError, reward: value } = item;
  return (
    <div class="compare-half">
      <p class="row">
        <a href={blockLink(trace, item)}>
          <VisibleText text={tool.startsWith('call ') ? `call ${title}` : title} />
        </a>
        {also && <a href={blockLink(also.trace, also.item)}>in the right one</a>}
        <span class="spring" />
        {isError && <b class="compare-error">✗ error</b>}
        {value !== null && <Reward value={value} />}
      </p>
      {(!beside || beside.text === text) && <Beginning text={text} />}
      {result !== undefined && (!beside || beside.result === result) && <Beginning text={`→ ${result}`} />}
    </div>
  );
}

const Beginning = ({ text }: { readonly text: string }) => (
  <pre class="compare-text">
    <VisibleText text={truncate(text, PREVIEW)} />
  </pre>
);

function Details({ left, right }: { readonly left: TraceItem; readonly right: TraceItem }) {
  const isCall = left.tool.startsWith('call ');
  return (
    <div class="compare-details">
      {left.text !== right.text && (
        <section>
          <h2>{isCall ? 'Arguments' : 'Text'}</h2>
          <TextDiff before={left.text} after={right.text} />
        </section>
      )}
      {left.result !== right.result && (
        <section>
          <h2>Result</h2>
          <TextDiff before={left.result ?? ''} after={right.result ?? ''} />
        </section>
      )}
      {left.reward !== right.reward && (
        <p>
          Reward {formatReward(left.reward)} → {formatReward(right.reward)}
        </p>
      )}
    </div>
  );
}
