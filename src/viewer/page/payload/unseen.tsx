import type { JSONValue } from '../../../../generated/trace.ts';
import { JsonTree } from './json-tree.tsx';

interface Props {
  /** The field that it stands in. */
  readonly label: string;
  readonly value: JSONValue;
  readonly highlight?: string | undefined;
}

/** What the model did not get to see. */
export function HiddenFields({ label, value, highlight }: Props) {
  return (
    <details class="payload-unseen">
      <summary>
        {label} <small>not shown to the model</small>
      </summary>
      <JsonTree value={value} highlight={highlight} openDepth={2} isBare />
    </details>
  );
}

/** Fields that nothing is known of. */
export function OtherFields({
  fields,
  highlight,
}: {
  readonly fields: Record<string, JSONValue>;
  readonly highlight?: string | undefined;
}) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <details class="payload-unseen">
      <summary>other fields</summary>
      <JsonTree value={fields} highlight={highlight} openDepth={2} isBare />
    </details>
  );
}
