import type {
  Block,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  ThinkBlock,
  Trace,
} from '../../../../generated/trace.ts';
import { ownProperty, stripControls } from '../../../core/index.ts';
import { contentText } from '../../../trace/model/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { Reward } from '../parts/badges.tsx';
import { Loaded } from '../parts/states.tsx';
import { TraceLink } from '../parts/trace-links.tsx';
import { Payload } from '../payload/index.ts';

/** Number of messages that are shown. */
const MESSAGES = 500;

/** Shows a conversation, for a person who reads many of them. */
export function Conversation({ trace }: { readonly trace: Trace }) {
  const org = useOrganization();
  const state = useLoad(`conversation ${trace.id}`, async (signal) => {
    const params = { path: { org, traceId: trace.id }, query: { limit: MESSAGES, assemble: true } };
    // Without `fields`, blocks are whole.
    return (await unwrapResponse(traceApi.stitchedBlocks({ params, signal }))) as StitchedTrace;
  });
  return (
    <Loaded state={state} lines={10}>
      {({ messages, page }) => (
        <>
          <ol class="stack rate-messages">
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
          {page.next_cursor !== null && (
            <p class="muted">
              The first {MESSAGES} messages are shown; the page of <TraceLink id={trace.id} name="the trace" /> has all.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Message({ message }: { readonly message: StitchedMessage }) {
  const { payload, thinks, tool_calls, child_order } = message;
  const calls = new Map(tool_calls.map((call) => [call.id, call]));
  const thoughts = new Map(thinks.map((think) => [think.id, think]));
  return (
    <li class={`raised rate-message rate-${payload.role}`}>
      <h3>{payload.role}</h3>
      <Content blocks={[message]} of={payload.content} />
      {child_order.map((id) => {
        const call = calls.get(id);
        const thought = thoughts.get(id);
        return call ? <Call key={id} call={call} /> : thought && <Thought key={id} thought={thought} />;
      })}
    </li>
  );
}

const Thought = ({ thought }: { readonly thought: ThinkBlock }) => (
  <details>
    <summary>thought</summary>
    <Content blocks={[thought]} of={thought.payload.text} />
  </details>
);

function Call({ call }: { readonly call: StitchedToolCall }) {
  const { payload, assembled, tool_results } = call;
  const reward = tool_results.map(({ extra }) => ownProperty(extra, 'reward')).find((it) => typeof it === 'number');
  // The result of a protocol wraps the output of the tool.
  const output = ownProperty(assembled?.value, 'output') ?? assembled?.value;
  return (
    <div class="sunken stack rate-call">
      <Content blocks={[call]} of={payload.arguments} />
      {tool_results.length > 0 && <Content blocks={tool_results} of={output} />}
      {reward !== undefined && (
        <p>
          <small>reward</small> <Reward value={reward} />
        </p>
      )}
    </div>
  );
}

/** Length of a text above which it is closed at first. */
const MAX_OPEN = 3_000;

interface ContentProps {
  /** One block, or all results of one call. */
  readonly blocks: readonly Block[];
  /** The part of the payload that counts as long. */
  readonly of: unknown;
}

/** Payload of a block as the page of the trace renders it; a long one is closed at first. */
function Content({ blocks, of }: ContentProps) {
  const payload = <Payload blocks={blocks} isWhole={false} />;
  const text = contentText(of);
  if (text.length <= MAX_OPEN) return payload;
  return (
    <details>
      <summary>{stripControls(text.slice(0, 120))} …</summary>
      {payload}
    </details>
  );
}
