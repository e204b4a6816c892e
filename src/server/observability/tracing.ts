import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api';
import { PACKAGE } from '../../core/node/index.ts';
import { type OpenTelemetryApi, openTelemetry } from '../../telemetry/index.ts';
import type { AuthorWork, AuthorWorkEnd, Observer, ObserverSpan, RequestEnd } from './observer.ts';

/**
 * Creates an observer that records OpenTelemetry spans: one per request, whose children are the spans of setup, calls and
 * teardown. Without a registered provider, a request costs only the check for one.
 */
export function tracingObserver(): Partial<Observer> {
  let spans: SpanObserver | undefined;
  const current = () => {
    const api = openTelemetry();
    if (api) spans ??= spanObserver(api);
    return spans;
  };
  return { request: (request) => current()?.request(request), authorWork: (work) => current()?.authorWork(work) };
}

type SpanObserver = Pick<Observer, 'request' | 'authorWork'>;

function spanObserver(api: OpenTelemetryApi): SpanObserver {
  const tracer = api.trace.getTracer(PACKAGE.name, PACKAGE.version);
  const noDelegate = new api.ProxyTracerProvider().getDelegate();
  const isRegistered = () => {
    const provider = api.trace.getTracerProvider();
    // A provider of another copy of the package is opaque, but it is registered.
    return !(provider instanceof api.ProxyTracerProvider) || provider.getDelegate() !== noDelegate;
  };
  const begin = <End>(name: string, options: SpanOptions, parent: Context, end: (span: Span, end: End) => void) => {
    const span = tracer.startSpan(name, options, parent);
    if (!api.isSpanContextValid(span.spanContext())) return undefined;
    const context = api.trace.setSpan(parent, span);
    const observed: ObserverSpan<End> = {
      run: (work) => api.context.with(context, work),
      ended(result) {
        end(span, result);
        span.end();
      },
    };
    return observed;
  };
  return {
    request({ method, headers }) {
      if (!isRegistered()) return undefined;
      const options = { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': method } };
      const active = api.context.active();
      // If the server is mounted in a traced application, the span of that application is the parent.
      const parent = api.trace.getSpan(active) ? active : api.propagation.extract(active, headers);
      return begin<RequestEnd>(method, options, parent, (span, end) => {
        if (end.route !== undefined) span.updateName(`${method} ${end.route}`);
        span.setAttributes(requestAttributes(end));
        if (end.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      });
    },
    authorWork(work) {
      if (!isRegistered()) return undefined;
      const name = work.tool === undefined ? work.kind : `${work.kind} ${work.tool}`;
      return begin<AuthorWorkEnd>(name, { attributes: workAttributes(work) }, api.context.active(), (span, end) => {
        span.setAttribute('ors.outcome', end.outcome);
        if (end.outcome !== 'error' && end.outcome !== 'timeout') return;
        span.setStatus({ code: api.SpanStatusCode.ERROR, ...(end.error !== undefined && { message: end.error }) });
      });
    },
  };
}

const requestAttributes = (end: RequestEnd): Attributes => ({
  'http.response.status_code': end.status,
  ...(end.status >= 500 && { 'error.type': String(end.status) }),
  ...(end.route !== undefined && { 'http.route': end.route }),
  ...(end.operation !== undefined && { 'ors.operation': end.operation }),
  ...(end.sid !== undefined && { 'ors.session.id': end.sid }),
  ...(end.environment !== undefined && { 'ors.environment': end.environment }),
});

const workAttributes = ({ sid, environment, tool, waitedMs }: AuthorWork): Attributes => ({
  'ors.session.id': sid,
  'ors.environment': environment,
  ...(tool !== undefined && { 'ors.tool': tool }),
  ...(waitedMs !== undefined && { 'ors.waited_ms': waitedMs }),
});
