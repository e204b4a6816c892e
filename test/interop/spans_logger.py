"""Sends spans with OpenTelemetry's SDK for Python and its encoder, and prints what its own parser reads in the responses."""

import gzip
import json
import sys
import urllib.request

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult


def send(message):
    headers = {"Content-Type": "application/x-protobuf", "Content-Encoding": "gzip"}
    request = urllib.request.Request(sys.argv[1], gzip.compress(message.SerializeToString()), headers)
    response = ExportTraceServiceResponse.FromString(urllib.request.urlopen(request).read())
    partial = response.partial_success
    print(json.dumps([partial.rejected_spans, partial.error_message]))


class Exporter(SpanExporter):
    def export(self, spans):
        send(encode_spans(spans))
        return SpanExportResult.SUCCESS

    def shutdown(self):
        pass


INPUT = "llm.input_messages.%d.message."
CALL = "message.tool_calls.0.tool_call."

provider = TracerProvider(resource=Resource.create({"service.name": "python", "ors.trace.run": "spans"}))
provider.add_span_processor(SimpleSpanProcessor(Exporter()))
tracer = provider.get_tracer("agent")

question = {INPUT % 0 + "role": "user", INPUT % 0 + "content": "weather?"}
call = {
    "message.role": "assistant",
    CALL + "id": "call_1",
    CALL + "function.name": "get_weather",
    CALL + "function.arguments": '{"city": "Bogotá", "id": 12345678901234567890}',
}
answer = {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "22 °C"}
kind = "openinference.span.kind"
with tracer.start_as_current_span("agent", attributes={kind: "AGENT"}):
    output = {f"llm.output_messages.0.{name}": value for name, value in call.items()}
    numbers = {"app.floats": [0.5, -1.5], "app.large": 2**62, "app.negative": -5, "app.flag": True}
    tracer.start_span("llm", attributes={kind: "LLM", "llm.model_name": "some-model", **question, **output, **numbers}).end()
    tool = {"tool.name": "get_weather", "tool_call.id": "call_1", "output.value": '{"degrees": 22}'}
    tracer.start_span("get_weather", attributes={kind: "TOOL", **tool}).end()
    history = {f"llm.input_messages.1.{name}": value for name, value in call.items()}
    result = {INPUT % 2 + "role": "tool", INPUT % 2 + "tool_call_id": "call_1", INPUT % 2 + "content": '{"degrees": 22}'}
    tracer.start_span("llm", attributes={kind: "LLM", **question, **history, **result, **answer}).end()

without_id = ExportTraceServiceRequest()
without_id.resource_spans.add().scope_spans.add().spans.add(name="no id")
send(without_id)
