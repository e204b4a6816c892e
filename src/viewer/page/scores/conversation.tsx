import type {
  JSONValue,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  Trace,
} from '../../../../generated/trace.ts';
import { stripControls } from '../../../core/index.ts';
import { contentText } from '../../../trace/model/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { Reward } from '../parts/badges.tsx';
import { Loaded } from '../parts/states.tsx';
import { TraceLink } from '../parts/trace-links.tsx';

/** Number of messages that are shown. */
const MESSAGES = 500;

/** Shows the text of a conversation, for a person who reads many of them. */
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
  const thoughts = new Map(thinks.map((think) => [think.id, think.payload.text]));
  return (
    <li class={`raised rate-message rate-${payload.role}`}>
      <h3>{payload.role}</h3>
      <Text value={payload.content as JSONValue} />
      {child_order.map((id) => {
        const call = calls.get(id);
        const thought = thoughts.get(id);
        return call ? <Call key={id} call={call} /> : thought !== undefined && <Thought key={id} text={thought} />;
      })}
    </li>
  );
}

const Thought = ({ text }: { readonly text: string }) => (
  <details>
    <summary>thought</summary>
    <Text value={text} />
  </details>
);

function Call({ call: { payload, assembled, tool_results } }: { readonly call: StitchedToolCall }) {
  const reward = tool_results.map(({ extra }) => (extra as { reward?: unknown } | null)?.reward);
  const given = reward.find((value) => typeof value === 'number');
  return (
    <div class="sunken rate-call">
      <p class="row">
        <code>{payload.name}</code>
        {given !== undefined && <Reward value={given} />}
      </p>
      {JSON.stringify(payload.arguments) !== '{}' && <Text value={payload.arguments} />}
      {assembled && assembled.state !== 'pending' && <Text value={assembled.value} />}
    </div>
  );
}

/** Length above which a text is closed at first, and above which it is cut. */
const MAX_OPEN = 3_000;
const MAX_SHOWN = 100_000;

function Text({ value }: { readonly value: JSONValue }) {
  const text = stripControls(contentText(value));
  if (text === '') return null;
  const shown = <pre>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text}</pre>;
  if (text.length <= MAX_OPEN) return shown;
  return (
    <details>
      <summary>{stripControls(text.slice(0, 120))} …</summary>
      {shown}
    </details>
  );
}
