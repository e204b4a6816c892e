import type { ComponentChildren } from 'preact';
import type { JSONValue } from '../../../../generated/trace.ts';
import { CopyButton } from '../parts/copy.tsx';
import { JsonTree } from './json-tree.tsx';
import { MODES, useDisplayMode } from './modes.ts';
import { prettyJson, prettyJsonNow } from './pretty-json.ts';
import { TextPayload } from './text.tsx';
import { useTimeSliced } from './use-slowly.ts';

interface Props {
  /** Payloads of one kind are all shown in the same way. */
  readonly kind: string;
  /** What is shown as JSON. */
  readonly value: JSONValue;
  /** What is shown as plain text; without it, the JSON. */
  readonly plain?: string | undefined;
  readonly highlight?: string | undefined;
  readonly children: ComponentChildren;
}

/** A payload, and the choice between how it is meant, its text, and its JSON. */
export function PayloadFrame({ kind, value, plain, highlight, children }: Props) {
  const [mode, choose] = useDisplayMode(kind);
  return (
    <div class={`payload payload-${kind}`}>
      <fieldset class="payload-modes" aria-label="Shown as">
        {MODES.map((each) => (
          <button key={each} type="button" class="quiet" aria-pressed={each === mode} onClick={() => choose(each)}>
            {each}
          </button>
        ))}
        <CopyButton text={() => (mode === 'JSON' ? undefined : plain) ?? prettyJsonNow(value)} />
      </fieldset>
      {mode === 'rendered' && children}
      {mode === 'plain' &&
        (plain === undefined ? (
          <PlainJson {...{ value, highlight }} />
        ) : (
          <TextPayload as="plain" {...{ text: plain, highlight }} />
        ))}
      {mode === 'JSON' && <JsonTree openDepth={3} {...{ value, highlight }} />}
    </div>
  );
}

function PlainJson({ value, highlight }: Pick<Props, 'value' | 'highlight'>) {
  const text = useTimeSliced(() => prettyJson(value), [value]);
  return <TextPayload as="plain" text={text ?? '…'} highlight={highlight} />;
}
