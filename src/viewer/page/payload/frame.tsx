import type { ComponentChildren } from 'preact';
import type { JSONValue } from '../../../../generated/trace.ts';
import { Copy } from '../parts/copy.tsx';
import { JsonTree } from './json-tree.tsx';
import { MODES, useMode } from './modes.ts';
import { prettyJson, prettyJsonNow } from './pretty-json.ts';
import { Text } from './text.tsx';
import { useSlowly } from './use-slowly.ts';

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
export function Frame({ kind, value, plain, highlight, children }: Props) {
  const [mode, choose] = useMode(kind);
  return (
    <div class={`payload payload-${kind}`}>
      <fieldset class="payload-modes" aria-label="Shown as">
        {MODES.map((each) => (
          <button key={each} type="button" class="quiet" aria-pressed={each === mode} onClick={() => choose(each)}>
            {each}
          </button>
        ))}
        <Copy text={() => (mode === 'JSON' ? undefined : plain) ?? prettyJsonNow(value)} />
      </fieldset>
      {mode === 'rendered' && children}
      {mode === 'plain' &&
        (plain === undefined ? (
          <PlainJson {...{ value, highlight }} />
        ) : (
          <Text as="plain" {...{ text: plain, highlight }} />
        ))}
      {mode === 'JSON' && <JsonTree openDepth={3} {...{ value, highlight }} />}
    </div>
  );
}

function PlainJson({ value, highlight }: Pick<Props, 'value' | 'highlight'>) {
  const text = useSlowly(() => prettyJson(value), [value]);
  return <Text as="plain" text={text ?? '…'} highlight={highlight} />;
}
