import type { Trace } from '../../../../generated/trace.ts';
import { useOrganization } from '../api/access.ts';
import { SERVER_URL } from '../api/store.ts';
import { Snippet } from '../parts/snippet.tsx';

/** What to do where a trace has no block yet; the first one appears by itself. */
export function EmptyTrace({ trace: { id } }: { readonly trace: Trace }) {
  const org = useOrganization();
  const command = `curl -s ${SERVER_URL}/v1/organizations/${org}/traces/${id}/blocks -H 'Content-Type: application/json' -d '{"sub_type": "MESSAGE", "payload": {"role": "user", "content": "hello"}}'`;
  return (
    <section class="card notice">
      <h2>No block has come yet</h2>
      <p>Blocks are messages, thoughts, tool calls and their results. The first one appears here by itself:</p>
      <Snippet code={command} />
    </section>
  );
}
