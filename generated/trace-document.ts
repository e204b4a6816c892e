// generated from trace.schema.json by ors generate; never edit

/** The JSON Schema with all references to files resolved. */
export const document: { readonly [key: string]: unknown } = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "TraceMessage",
  "description": "All messages between clients and trace stores. Refer to single definitions (#/$defs/Block), never to the whole document.",
  "anyOf": [
    {
      "$ref": "#/$defs/BlockInput"
    },
    {
      "$ref": "#/$defs/Block"
    },
    {
      "$ref": "#/$defs/Trace"
    },
    {
      "$ref": "#/$defs/StitchedTrace"
    },
    {
      "$ref": "#/$defs/TraceError"
    },
    {
      "$ref": "#/$defs/TraceInput"
    },
    {
      "$ref": "#/$defs/TracePatch"
    },
    {
      "$ref": "#/$defs/TraceList"
    },
    {
      "$ref": "#/$defs/BlockWrite"
    },
    {
      "$ref": "#/$defs/BatchReceipt"
    },
    {
      "$ref": "#/$defs/DryRun"
    },
    {
      "$ref": "#/$defs/BlockList"
    },
    {
      "$ref": "#/$defs/BlockHitList"
    },
    {
      "$ref": "#/$defs/RunList"
    },
    {
      "$ref": "#/$defs/TraceSummaryList"
    },
    {
      "$ref": "#/$defs/RunStats"
    },
    {
      "$ref": "#/$defs/GroupList"
    },
    {
      "$ref": "#/$defs/Access"
    },
    {
      "$ref": "#/$defs/BlobReceipt"
    },
    {
      "$ref": "#/$defs/ImportReport"
    },
    {
      "$ref": "#/$defs/StitchedSkeleton"
    },
    {
      "$ref": "#/$defs/RolloutEvents"
    },
    {
      "$ref": "#/$defs/RolloutReceipt"
    },
    {
      "$ref": "#/$defs/RolloutRun"
    },
    {
      "$ref": "#/$defs/Rollout"
    },
    {
      "$ref": "#/$defs/RequiredSecrets"
    },
    {
      "$ref": "#/$defs/TaskDifficultyList"
    },
    {
      "$ref": "#/$defs/RolloutMessages"
    },
    {
      "$ref": "#/$defs/ScoreInput"
    },
    {
      "$ref": "#/$defs/Score"
    },
    {
      "$ref": "#/$defs/ScoreList"
    },
    {
      "$ref": "#/$defs/SpanReceipt"
    },
    {
      "$ref": "#/$defs/SearchResults"
    },
    {
      "$ref": "#/$defs/BulkInput"
    },
    {
      "$ref": "#/$defs/BulkReport"
    }
  ],
  "$defs": {
    "JSONValue": {
      "title": "JSONValue",
      "description": "Any JSON value.",
      "anyOf": [
        {
          "type": "string"
        },
        {
          "type": "number"
        },
        {
          "type": "boolean"
        },
        {
          "type": "null"
        },
        {
          "$ref": "#/$defs/JSONObject"
        },
        {
          "type": "array",
          "items": {
            "$ref": "#/$defs/JSONValue"
          }
        }
      ]
    },
    "JSONObject": {
      "title": "JSONObject",
      "description": "Any JSON object.",
      "type": "object",
      "additionalProperties": {
        "$ref": "#/$defs/JSONValue"
      }
    },
    "TraceId": {
      "title": "TraceId",
      "description": "Id of a trace. Clients may choose it; ids that the store creates sort by time.",
      "type": "string",
      "pattern": "^tr_[0-9A-Za-z_-]{1,64}$"
    },
    "BlockId": {
      "title": "BlockId",
      "description": "Id of a block. Clients may choose it, so that a repeated write stores one block.",
      "type": "string",
      "pattern": "^tb_[0-9A-Za-z_-]{1,64}$"
    },
    "CallId": {
      "title": "CallId",
      "description": "Id of a tool call, chosen by the client and unique within its trace. At most 256 bytes of UTF-8.",
      "type": "string",
      "minLength": 1,
      "maxLength": 256
    },
    "Timestamp": {
      "title": "Timestamp",
      "description": "RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z. Sorts as text.",
      "type": "string",
      "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"
    },
    "SubType": {
      "title": "SubType",
      "description": "Exact kind of a block.",
      "enum": [
        "MESSAGE",
        "TOOL_CALL",
        "TOOL_RESULT",
        "THINK"
      ]
    },
    "ContentPart": {
      "title": "ContentPart",
      "description": "Part of a message's content, such as an ORS block; its other fields depend on its type.",
      "type": "object",
      "required": [
        "type"
      ],
      "properties": {
        "type": {
          "type": "string",
          "minLength": 1
        }
      },
      "additionalProperties": true
    },
    "MessagePayload": {
      "title": "MessagePayload",
      "description": "Content of a message, and the role of its author. The content is limited to 65536 bytes (LIMIT_MSG_BYTES).",
      "type": "object",
      "required": [
        "role",
        "content"
      ],
      "properties": {
        "role": {
          "enum": [
            "system",
            "user",
            "assistant"
          ]
        },
        "content": {
          "description": "Text, or parts in order; never empty. White space counts as content.",
          "anyOf": [
            {
              "type": "string",
              "minLength": 1
            },
            {
              "type": "array",
              "minItems": 1,
              "items": {
                "$ref": "#/$defs/ContentPart"
              }
            }
          ]
        }
      },
      "additionalProperties": true
    },
    "ToolCallPayload": {
      "title": "ToolCallPayload",
      "description": "A tool call as stored. The arguments are usually an object. They are limited to 262144 bytes (LIMIT_TOOL_ARGS_BYTES).",
      "type": "object",
      "required": [
        "name",
        "arguments"
      ],
      "properties": {
        "call_id": {
          "$ref": "#/$defs/CallId"
        },
        "name": {
          "$ref": "#/$defs/ToolName"
        },
        "arguments": {
          "$ref": "#/$defs/JSONValue"
        }
      },
      "additionalProperties": true
    },
    "ToolCallPayloadInput": {
      "title": "ToolCallPayloadInput",
      "description": "A tool call as written. The arguments are any JSON value, or the text of one, which model providers return: it is parsed, and stored as its value. Empty text means `{}`; text that is not JSON is rejected.",
      "type": "object",
      "required": [
        "name",
        "arguments"
      ],
      "properties": {
        "call_id": {
          "$ref": "#/$defs/CallId"
        },
        "name": {
          "$ref": "#/$defs/ToolName"
        },
        "arguments": {
          "$ref": "#/$defs/JSONValue"
        }
      },
      "additionalProperties": true
    },
    "ToolName": {
      "title": "ToolName",
      "description": "Name of a tool: at most 256 bytes of UTF-8, no control characters, no white space at either end.",
      "type": "string",
      "maxLength": 256,
      "pattern": "^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$"
    },
    "ThinkPayload": {
      "title": "ThinkPayload",
      "description": "Reasoning of a model. The text is limited to 32768 bytes (LIMIT_THINK_BYTES).",
      "type": "object",
      "required": [
        "text"
      ],
      "properties": {
        "text": {
          "type": "string",
          "minLength": 1
        }
      },
      "additionalProperties": true
    },
    "Seq": {
      "title": "Seq",
      "description": "Position among the results of one call, from 0; null or absent sorts last.",
      "type": [
        "integer",
        "null"
      ],
      "minimum": 0,
      "maximum": 9007199254740991
    },
    "ToolResultOutput": {
      "title": "ToolResultOutput",
      "description": "The complete result of a call. A null delta counts as absent, unless the output is null too. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).",
      "type": "object",
      "required": [
        "output"
      ],
      "properties": {
        "call_id": {
          "$ref": "#/$defs/CallId"
        },
        "output": {
          "$ref": "#/$defs/JSONValue"
        },
        "delta": {
          "type": "null"
        },
        "seq": {
          "$ref": "#/$defs/Seq"
        }
      },
      "additionalProperties": true,
      "not": {
        "required": [
          "delta"
        ],
        "properties": {
          "output": {
            "type": "null"
          },
          "delta": true
        }
      }
    },
    "ToolResultDelta": {
      "title": "ToolResultDelta",
      "description": "A streamed part of the result of a call. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).",
      "type": "object",
      "required": [
        "delta"
      ],
      "properties": {
        "call_id": {
          "$ref": "#/$defs/CallId"
        },
        "delta": {
          "description": "Any value but null. Text deltas are joined, and lists concatenated, in the order of seq; others become a list.",
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "number"
            },
            {
              "type": "boolean"
            },
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "array",
              "items": {
                "$ref": "#/$defs/JSONValue"
              }
            }
          ]
        },
        "output": {
          "type": "null"
        },
        "seq": {
          "$ref": "#/$defs/Seq"
        }
      },
      "additionalProperties": true
    },
    "ToolResultPayload": {
      "title": "ToolResultPayload",
      "description": "The result of a call, complete or a part of it: exactly one of output and delta.",
      "oneOf": [
        {
          "$ref": "#/$defs/ToolResultOutput"
        },
        {
          "$ref": "#/$defs/ToolResultDelta"
        }
      ]
    },
    "MessageBlockInput": {
      "title": "MessageBlockInput",
      "description": "A message to write. It has no parent.",
      "type": "object",
      "required": [
        "sub_type",
        "payload"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "MESSAGE"
        },
        "sub_type": {
          "const": "MESSAGE"
        },
        "payload": {
          "$ref": "#/$defs/MessagePayload"
        },
        "parent_block_id": {
          "type": "null"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        }
      },
      "additionalProperties": false
    },
    "ToolCallBlockInput": {
      "title": "ToolCallBlockInput",
      "description": "A tool call to write, under a message of the same trace.",
      "type": "object",
      "required": [
        "sub_type",
        "payload",
        "parent_block_id"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "ACT"
        },
        "sub_type": {
          "const": "TOOL_CALL"
        },
        "payload": {
          "$ref": "#/$defs/ToolCallPayloadInput"
        },
        "parent_block_id": {
          "$ref": "#/$defs/BlockId"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        }
      },
      "additionalProperties": false
    },
    "ThinkBlockInput": {
      "title": "ThinkBlockInput",
      "description": "Reasoning to write, under a message of the same trace.",
      "type": "object",
      "required": [
        "sub_type",
        "payload",
        "parent_block_id"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "ACT"
        },
        "sub_type": {
          "const": "THINK"
        },
        "payload": {
          "$ref": "#/$defs/ThinkPayload"
        },
        "parent_block_id": {
          "$ref": "#/$defs/BlockId"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        }
      },
      "additionalProperties": false
    },
    "ToolResultBlockInput": {
      "title": "ToolResultBlockInput",
      "description": "A tool result to write, under a tool call of the same trace.",
      "type": "object",
      "required": [
        "sub_type",
        "payload",
        "parent_block_id"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "OBSERVE"
        },
        "sub_type": {
          "const": "TOOL_RESULT"
        },
        "payload": {
          "$ref": "#/$defs/ToolResultPayload"
        },
        "parent_block_id": {
          "$ref": "#/$defs/BlockId"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        }
      },
      "additionalProperties": false
    },
    "BlockInput": {
      "title": "BlockInput",
      "description": "A block to write; sub_type determines its form. The block_type follows from it and may be omitted; created_at and updated_at are set by the store and rejected in requests. metadata, raw and extra are any JSON, and are returned as they were sent, numbers of any length included; if the store has API keys, an object as metadata gets the field key_id.",
      "oneOf": [
        {
          "$ref": "#/$defs/MessageBlockInput"
        },
        {
          "$ref": "#/$defs/ToolCallBlockInput"
        },
        {
          "$ref": "#/$defs/ThinkBlockInput"
        },
        {
          "$ref": "#/$defs/ToolResultBlockInput"
        }
      ]
    },
    "MessageBlock": {
      "title": "MessageBlock",
      "description": "A message as stored: a root of the trace's tree.",
      "type": "object",
      "required": [
        "id",
        "trace_id",
        "block_type",
        "sub_type",
        "payload",
        "parent_block_id",
        "metadata",
        "raw",
        "extra",
        "created_at",
        "updated_at"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "MESSAGE"
        },
        "sub_type": {
          "const": "MESSAGE"
        },
        "payload": {
          "$ref": "#/$defs/MessagePayload"
        },
        "parent_block_id": {
          "type": "null"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "ToolCallBlock": {
      "title": "ToolCallBlock",
      "description": "A tool call as stored; its parent is a message.",
      "type": "object",
      "required": [
        "id",
        "trace_id",
        "block_type",
        "sub_type",
        "payload",
        "parent_block_id",
        "metadata",
        "raw",
        "extra",
        "created_at",
        "updated_at"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "ACT"
        },
        "sub_type": {
          "const": "TOOL_CALL"
        },
        "payload": {
          "$ref": "#/$defs/ToolCallPayload"
        },
        "parent_block_id": {
          "$ref": "#/$defs/BlockId"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "ThinkBlock": {
      "title": "ThinkBlock",
      "description": "Reasoning as stored; its parent is a message.",
      "type": "object",
      "required": [
        "id",
        "trace_id",
        "block_type",
        "sub_type",
        "payload",
        "parent_block_id",
        "metadata",
        "raw",
        "extra",
        "created_at",
        "updated_at"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "ACT"
        },
        "sub_type": {
          "const": "THINK"
        },
        "payload": {
          "$ref": "#/$defs/ThinkPayload"
        },
        "parent_block_id": {
          "$ref": "#/$defs/BlockId"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "ToolResultBlock": {
      "title": "ToolResultBlock",
      "description": "A tool result as stored; its parent is a tool call.",
      "type": "object",
      "required": [
        "id",
        "trace_id",
        "block_type",
        "sub_type",
        "payload",
        "parent_block_id",
        "metadata",
        "raw",
        "extra",
        "created_at",
        "updated_at"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "OBSERVE"
        },
        "sub_type": {
          "const": "TOOL_RESULT"
        },
        "payload": {
          "$ref": "#/$defs/ToolResultPayload"
        },
        "parent_block_id": {
          "$ref": "#/$defs/BlockId"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "Block": {
      "title": "Block",
      "description": "A stored block; sub_type determines its form. Blocks never change, so updated_at equals created_at.",
      "oneOf": [
        {
          "$ref": "#/$defs/MessageBlock"
        },
        {
          "$ref": "#/$defs/ToolCallBlock"
        },
        {
          "$ref": "#/$defs/ThinkBlock"
        },
        {
          "$ref": "#/$defs/ToolResultBlock"
        }
      ]
    },
    "TraceStatus": {
      "title": "TraceStatus",
      "description": "State of the agent run: finished if the episode was finished, error if it failed, abandoned if it was deleted before its end.",
      "enum": [
        "running",
        "finished",
        "error",
        "abandoned"
      ]
    },
    "SpanReceipt": {
      "title": "SpanReceipt",
      "description": "ExportTraceServiceResponse of OTLP in JSON.",
      "type": "object",
      "properties": {
        "partialSuccess": {
          "description": "Missing if all spans were stored.",
          "type": "object",
          "required": [
            "rejectedSpans",
            "errorMessage"
          ],
          "properties": {
            "rejectedSpans": {
              "description": "Number of spans or blocks that were rejected, as text.",
              "type": "string"
            },
            "errorMessage": {
              "type": "string"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "ScoreInput": {
      "title": "ScoreInput",
      "description": "A judgement of a run, a trace or a block, with at least one of value, label and comment. It names either a trace or a run.",
      "type": "object",
      "required": [
        "name"
      ],
      "properties": {
        "id": {
          "description": "Id of the score. Clients may choose it, so that a repeated request stores one score.",
          "type": "string",
          "pattern": "^sc_[0-9A-Za-z_-]{1,64}$"
        },
        "trace_id": {
          "description": "Trace that is scored; null for the score of a run.",
          "anyOf": [
            {
              "$ref": "#/$defs/TraceId"
            },
            {
              "type": "null"
            }
          ]
        },
        "block_id": {
          "description": "Block of the trace that is scored; null for the whole trace.",
          "anyOf": [
            {
              "$ref": "#/$defs/BlockId"
            },
            {
              "type": "null"
            }
          ]
        },
        "run": {
          "description": "Run that is scored; null for the score of a trace.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 256
        },
        "name": {
          "description": "Criterion, such as correctness.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128
        },
        "value": {
          "description": "Numeric score.",
          "type": [
            "number",
            "null"
          ]
        },
        "label": {
          "description": "Categorical score.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 1024
        },
        "comment": {
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 65536
        },
        "author": {
          "description": "Who gave the score; the id of the API key by default.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 256
        },
        "source": {
          "description": "Kind of the author: a person, a model or a program.",
          "enum": [
            "human",
            "model",
            "code"
          ]
        },
        "metadata": {
          "$ref": "#/$defs/JSONObject"
        }
      },
      "additionalProperties": false
    },
    "Score": {
      "title": "Score",
      "description": "A judgement of a run, a trace or a block. It never changes; it can be deleted.",
      "type": "object",
      "required": [
        "id",
        "trace_id",
        "block_id",
        "run",
        "name",
        "value",
        "label",
        "comment",
        "author",
        "source",
        "metadata",
        "created_at"
      ],
      "properties": {
        "id": {
          "description": "Id of the score. Clients may choose it, so that a repeated request stores one score.",
          "type": "string",
          "pattern": "^sc_[0-9A-Za-z_-]{1,64}$"
        },
        "trace_id": {
          "description": "Trace that is scored; null for the score of a run.",
          "anyOf": [
            {
              "$ref": "#/$defs/TraceId"
            },
            {
              "type": "null"
            }
          ]
        },
        "block_id": {
          "description": "Block of the trace that is scored; null for the whole trace.",
          "anyOf": [
            {
              "$ref": "#/$defs/BlockId"
            },
            {
              "type": "null"
            }
          ]
        },
        "run": {
          "description": "Run that is scored; null for the score of a trace.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 256
        },
        "name": {
          "description": "Criterion, such as correctness.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128
        },
        "value": {
          "description": "Numeric score.",
          "type": [
            "number",
            "null"
          ]
        },
        "label": {
          "description": "Categorical score.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 1024
        },
        "comment": {
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 65536
        },
        "author": {
          "description": "Who gave the score; the id of the API key by default.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 256
        },
        "source": {
          "description": "Kind of the author: a person, a model or a program.",
          "enum": [
            "human",
            "model",
            "code"
          ]
        },
        "metadata": {
          "$ref": "#/$defs/JSONObject"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "ScoreList": {
      "title": "ScoreList",
      "description": "One page of scores.",
      "type": "object",
      "required": [
        "scores",
        "page"
      ],
      "properties": {
        "scores": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/Score"
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "TraceWarning": {
      "title": "TraceWarning",
      "description": "A value of a logged event that is not as the standard has it. It is kept, in the form that the message describes.",
      "type": "object",
      "required": [
        "event_id",
        "path",
        "message"
      ],
      "properties": {
        "event_id": {
          "description": "Id of the event.",
          "type": "string"
        },
        "path": {
          "description": "JSON pointer into the event.",
          "type": "string"
        },
        "message": {
          "type": "string",
          "minLength": 1
        }
      },
      "additionalProperties": false
    },
    "Trace": {
      "title": "Trace",
      "description": "The log of one agent run, without its blocks. The counters include every stored block.",
      "type": "object",
      "required": [
        "id",
        "name",
        "run",
        "environment",
        "variant",
        "split",
        "task_index",
        "task_spec",
        "task_key",
        "group_id",
        "step",
        "rollout_index",
        "model",
        "status",
        "tags",
        "metadata",
        "run_info",
        "rollout_info",
        "reward_sum",
        "reward_last",
        "reward_max",
        "reward_count",
        "block_count",
        "bytes",
        "error_count",
        "created_at",
        "finished_at",
        "updated_at"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/TraceId"
        },
        "name": {
          "type": [
            "string",
            "null"
          ]
        },
        "run": {
          "description": "The training or evaluation run that the trace belongs to.",
          "type": [
            "string",
            "null"
          ]
        },
        "environment": {
          "type": [
            "string",
            "null"
          ]
        },
        "variant": {
          "type": [
            "string",
            "null"
          ]
        },
        "split": {
          "type": [
            "string",
            "null"
          ]
        },
        "task_index": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "task_spec": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
        },
        "task_key": {
          "description": "SHA-256 of the canonical task_spec, in lower-case hex.",
          "type": [
            "string",
            "null"
          ],
          "pattern": "^[0-9a-f]{64}$"
        },
        "group_id": {
          "description": "Group of rollouts of one task that are compared with each other.",
          "type": [
            "string",
            "null"
          ]
        },
        "step": {
          "description": "Training step.",
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "rollout_index": {
          "description": "Position in the group.",
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "model": {
          "type": [
            "string",
            "null"
          ]
        },
        "status": {
          "$ref": "#/$defs/TraceStatus"
        },
        "tags": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "metadata": {
          "$ref": "#/$defs/JSONObject"
        },
        "run_info": {
          "$ref": "#/$defs/JSONObject"
        },
        "rollout_info": {
          "$ref": "#/$defs/JSONObject"
        },
        "parent_trace_id": {
          "description": "The trace whose episode this one continues from one of its states; absent if there is none. The continuation begins with the conversation so far. Statistics and groups leave out traces with a parent. The store need not have the parent.",
          "$ref": "#/$defs/TraceId"
        },
        "parent_calls": {
          "description": "Number of tool calls of the parent before the fork, which this trace shares; absent if unknown.",
          "type": "integer",
          "minimum": 0
        },
        "warnings": {
          "description": "What the store changed, or could not use, while it logged the events of a rollout; absent if there is nothing.",
          "type": "array",
          "maxItems": 100,
          "items": {
            "$ref": "#/$defs/TraceWarning"
          }
        },
        "reward_sum": {
          "description": "Sum of extra.reward of all blocks; null if no block has a reward.",
          "type": [
            "number",
            "null"
          ]
        },
        "reward_last": {
          "type": [
            "number",
            "null"
          ]
        },
        "reward_max": {
          "type": [
            "number",
            "null"
          ]
        },
        "reward_count": {
          "type": "integer",
          "minimum": 0
        },
        "block_count": {
          "type": "integer",
          "minimum": 0
        },
        "bytes": {
          "description": "Size of the stored blocks in bytes.",
          "type": "integer",
          "minimum": 0
        },
        "error_count": {
          "description": "Number of tool results that report a failure.",
          "type": "integer",
          "minimum": 0
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "finished_at": {
          "anyOf": [
            {
              "$ref": "#/$defs/Timestamp"
            },
            {
              "type": "null"
            }
          ]
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "TraceInput": {
      "title": "TraceInput",
      "description": "A trace to create; all fields are optional. The store sets the counters, the times and task_key.",
      "type": "object",
      "properties": {
        "id": {
          "$ref": "#/$defs/TraceId"
        },
        "name": {
          "description": "Display name.",
          "type": [
            "string",
            "null"
          ],
          "maxLength": 1024
        },
        "run": {
          "description": "The training or evaluation run that the trace belongs to.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 256
        },
        "environment": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 256
        },
        "variant": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 256
        },
        "split": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 256
        },
        "task_index": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0,
          "maximum": 9007199254740991
        },
        "task_spec": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
        },
        "group_id": {
          "description": "Group of rollouts of one task that are compared with each other. By default, the traces with the same run, environment, split, task_key, step, model and sampling settings form a group; the settings are the object `sampling` of rollout_info, run_info or metadata.",
          "type": [
            "string",
            "null"
          ],
          "minLength": 1,
          "maxLength": 256
        },
        "step": {
          "description": "Training step.",
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0,
          "maximum": 9007199254740991
        },
        "rollout_index": {
          "description": "Position in the group.",
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0,
          "maximum": 9007199254740991
        },
        "model": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 256
        },
        "tags": {
          "type": "array",
          "maxItems": 100,
          "items": {
            "type": "string",
            "minLength": 1,
            "maxLength": 256
          }
        },
        "metadata": {
          "$ref": "#/$defs/JSONObject"
        },
        "run_info": {
          "$ref": "#/$defs/JSONObject"
        },
        "rollout_info": {
          "$ref": "#/$defs/JSONObject"
        },
        "parent_trace_id": {
          "description": "The trace whose episode this one continues from one of its states: another trace, which the store need not have. Statistics and groups leave out traces with a parent.",
          "anyOf": [
            {
              "$ref": "#/$defs/TraceId"
            },
            {
              "type": "null"
            }
          ]
        },
        "parent_calls": {
          "description": "Number of tool calls of the parent before the fork, which this trace shares. Needs parent_trace_id.",
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0,
          "maximum": 9007199254740991
        },
        "status": {
          "$ref": "#/$defs/TraceStatus"
        }
      },
      "additionalProperties": false
    },
    "TracePatch": {
      "title": "TracePatch",
      "description": "Changes to a trace; the given fields replace the previous values.",
      "type": "object",
      "minProperties": 1,
      "properties": {
        "name": {
          "description": "Display name.",
          "type": [
            "string",
            "null"
          ],
          "maxLength": 1024
        },
        "status": {
          "$ref": "#/$defs/TraceStatus"
        },
        "tags": {
          "type": "array",
          "maxItems": 100,
          "items": {
            "type": "string",
            "minLength": 1,
            "maxLength": 256
          }
        },
        "metadata": {
          "$ref": "#/$defs/JSONObject"
        }
      },
      "additionalProperties": false
    },
    "AssembledResult": {
      "title": "AssembledResult",
      "description": "The joined results of one call: the last output if there is one, or an output of which all pieces exist (complete), else the deltas in order (partial), else null (pending).",
      "type": "object",
      "required": [
        "state",
        "value",
        "gaps"
      ],
      "properties": {
        "state": {
          "enum": [
            "complete",
            "partial",
            "pending"
          ]
        },
        "value": {
          "$ref": "#/$defs/JSONValue"
        },
        "gaps": {
          "description": "Missing values of seq between 0 and the highest one of a delta, ascending; at most 1000.",
          "type": "array",
          "maxItems": 1000,
          "items": {
            "type": "integer",
            "minimum": 0
          }
        },
        "more_gaps": {
          "description": "Number of further missing values, if there are more than 1000.",
          "type": "integer",
          "minimum": 1
        }
      },
      "additionalProperties": false
    },
    "StitchedToolCall": {
      "title": "StitchedToolCall",
      "description": "A tool call with its results, ordered by seq (null last), created_at, id.",
      "type": "object",
      "required": [
        "id",
        "trace_id",
        "block_type",
        "sub_type",
        "payload",
        "parent_block_id",
        "metadata",
        "raw",
        "extra",
        "created_at",
        "updated_at",
        "tool_results"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "ACT"
        },
        "sub_type": {
          "const": "TOOL_CALL"
        },
        "payload": {
          "$ref": "#/$defs/ToolCallPayload"
        },
        "parent_block_id": {
          "$ref": "#/$defs/BlockId"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "tool_results": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/ToolResultBlock"
          }
        },
        "assembled": {
          "$ref": "#/$defs/AssembledResult"
        }
      },
      "additionalProperties": false
    },
    "StitchedMessage": {
      "title": "StitchedMessage",
      "description": "A message with its thoughts and tool calls. child_order lists the ids of both in their common order.",
      "type": "object",
      "required": [
        "id",
        "trace_id",
        "block_type",
        "sub_type",
        "payload",
        "parent_block_id",
        "metadata",
        "raw",
        "extra",
        "created_at",
        "updated_at",
        "thinks",
        "tool_calls",
        "child_order"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block_type": {
          "const": "MESSAGE"
        },
        "sub_type": {
          "const": "MESSAGE"
        },
        "payload": {
          "$ref": "#/$defs/MessagePayload"
        },
        "parent_block_id": {
          "type": "null"
        },
        "metadata": {
          "$ref": "#/$defs/JSONValue"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "$ref": "#/$defs/JSONValue"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "thinks": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/ThinkBlock"
          }
        },
        "tool_calls": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/StitchedToolCall"
          }
        },
        "child_order": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockId"
          }
        }
      },
      "additionalProperties": false
    },
    "Orphans": {
      "title": "Orphans",
      "description": "Blocks whose parent is missing or of the wrong kind; empty unless the data was damaged or restored. Results stay under their call, even if that call is an orphan.",
      "type": "object",
      "required": [
        "tool_calls",
        "tool_results",
        "thinks"
      ],
      "properties": {
        "tool_calls": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/StitchedToolCall"
          }
        },
        "tool_results": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/ToolResultBlock"
          }
        },
        "thinks": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/ThinkBlock"
          }
        }
      },
      "additionalProperties": false
    },
    "Page": {
      "title": "Page",
      "description": "Cursor of the next page; null on the last page.",
      "type": "object",
      "required": [
        "next_cursor"
      ],
      "properties": {
        "next_cursor": {
          "type": [
            "string",
            "null"
          ]
        }
      },
      "additionalProperties": false
    },
    "TraceList": {
      "title": "TraceList",
      "description": "One page of traces.",
      "type": "object",
      "required": [
        "traces",
        "page"
      ],
      "properties": {
        "traces": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/Trace"
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "BlockBatch": {
      "title": "BlockBatch",
      "description": "Blocks that are written together or not at all.",
      "type": "object",
      "required": [
        "blocks"
      ],
      "properties": {
        "blocks": {
          "type": "array",
          "minItems": 1,
          "maxItems": 1000,
          "items": {
            "$ref": "#/$defs/BlockInput"
          }
        }
      },
      "additionalProperties": false
    },
    "BlockWrite": {
      "title": "BlockWrite",
      "description": "One block, or up to 1000 that are written together or not at all; the parent of a block may be an earlier block of the request.",
      "oneOf": [
        {
          "$ref": "#/$defs/BlockInput"
        },
        {
          "$ref": "#/$defs/BlockBatch"
        }
      ]
    },
    "BlockReceipt": {
      "title": "BlockReceipt",
      "description": "Confirms that a block is on disk.",
      "type": "object",
      "required": [
        "id",
        "created_at",
        "replayed"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "replayed": {
          "description": "True if the block existed before, with the same content.",
          "type": "boolean"
        }
      },
      "additionalProperties": false
    },
    "BatchReceipt": {
      "title": "BatchReceipt",
      "description": "One receipt per block of a batch, in the same order.",
      "type": "object",
      "required": [
        "blocks",
        "count"
      ],
      "properties": {
        "blocks": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockReceipt"
          }
        },
        "count": {
          "type": "integer",
          "minimum": 1
        }
      },
      "additionalProperties": false
    },
    "DryRun": {
      "title": "DryRun",
      "description": "Result of a dry run: every block is valid, and nothing was stored.",
      "type": "object",
      "required": [
        "valid",
        "count"
      ],
      "properties": {
        "valid": {
          "const": true
        },
        "count": {
          "type": "integer",
          "minimum": 1
        }
      },
      "additionalProperties": false
    },
    "BlockSkeleton": {
      "title": "BlockSkeleton",
      "description": "A block without its payload: enough for an outline of a long trace.",
      "type": "object",
      "required": [
        "id",
        "block_type",
        "sub_type",
        "parent_block_id",
        "call_id",
        "seq",
        "name",
        "role",
        "bytes",
        "reward",
        "is_error",
        "preview",
        "created_at"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "block_type": {
          "enum": [
            "MESSAGE",
            "ACT",
            "OBSERVE"
          ]
        },
        "sub_type": {
          "$ref": "#/$defs/SubType"
        },
        "parent_block_id": {
          "anyOf": [
            {
              "$ref": "#/$defs/BlockId"
            },
            {
              "type": "null"
            }
          ]
        },
        "call_id": {
          "type": [
            "string",
            "null"
          ]
        },
        "seq": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "name": {
          "description": "Name of the tool, for a TOOL_CALL.",
          "type": [
            "string",
            "null"
          ]
        },
        "role": {
          "description": "Role of the author, for a MESSAGE.",
          "type": [
            "string",
            "null"
          ]
        },
        "bytes": {
          "description": "Stored size in bytes.",
          "type": "integer",
          "minimum": 0
        },
        "reward": {
          "description": "The value of extra.reward.",
          "type": [
            "number",
            "null"
          ]
        },
        "is_error": {
          "description": "True for a tool result that reports a failure.",
          "type": "boolean"
        },
        "thread": {
          "description": "The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128
        },
        "preview": {
          "description": "The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`.",
          "type": "string",
          "maxLength": 120
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "SkeletonToolCall": {
      "title": "SkeletonToolCall",
      "description": "The skeleton of a tool call with those of its results.",
      "type": "object",
      "required": [
        "id",
        "block_type",
        "sub_type",
        "parent_block_id",
        "call_id",
        "seq",
        "name",
        "role",
        "bytes",
        "reward",
        "is_error",
        "preview",
        "created_at",
        "tool_results"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "block_type": {
          "enum": [
            "MESSAGE",
            "ACT",
            "OBSERVE"
          ]
        },
        "sub_type": {
          "$ref": "#/$defs/SubType"
        },
        "parent_block_id": {
          "anyOf": [
            {
              "$ref": "#/$defs/BlockId"
            },
            {
              "type": "null"
            }
          ]
        },
        "call_id": {
          "type": [
            "string",
            "null"
          ]
        },
        "seq": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "name": {
          "description": "Name of the tool, for a TOOL_CALL.",
          "type": [
            "string",
            "null"
          ]
        },
        "role": {
          "description": "Role of the author, for a MESSAGE.",
          "type": [
            "string",
            "null"
          ]
        },
        "bytes": {
          "description": "Stored size in bytes.",
          "type": "integer",
          "minimum": 0
        },
        "reward": {
          "description": "The value of extra.reward.",
          "type": [
            "number",
            "null"
          ]
        },
        "is_error": {
          "description": "True for a tool result that reports a failure.",
          "type": "boolean"
        },
        "thread": {
          "description": "The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128
        },
        "preview": {
          "description": "The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`.",
          "type": "string",
          "maxLength": 120
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "tool_results": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockSkeleton"
          }
        }
      },
      "additionalProperties": false
    },
    "SkeletonMessage": {
      "title": "SkeletonMessage",
      "description": "The skeleton of a message with those of its thoughts and tool calls.",
      "type": "object",
      "required": [
        "id",
        "block_type",
        "sub_type",
        "parent_block_id",
        "call_id",
        "seq",
        "name",
        "role",
        "bytes",
        "reward",
        "is_error",
        "preview",
        "created_at",
        "thinks",
        "tool_calls",
        "child_order"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/BlockId"
        },
        "block_type": {
          "enum": [
            "MESSAGE",
            "ACT",
            "OBSERVE"
          ]
        },
        "sub_type": {
          "$ref": "#/$defs/SubType"
        },
        "parent_block_id": {
          "anyOf": [
            {
              "$ref": "#/$defs/BlockId"
            },
            {
              "type": "null"
            }
          ]
        },
        "call_id": {
          "type": [
            "string",
            "null"
          ]
        },
        "seq": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "name": {
          "description": "Name of the tool, for a TOOL_CALL.",
          "type": [
            "string",
            "null"
          ]
        },
        "role": {
          "description": "Role of the author, for a MESSAGE.",
          "type": [
            "string",
            "null"
          ]
        },
        "bytes": {
          "description": "Stored size in bytes.",
          "type": "integer",
          "minimum": 0
        },
        "reward": {
          "description": "The value of extra.reward.",
          "type": [
            "number",
            "null"
          ]
        },
        "is_error": {
          "description": "True for a tool result that reports a failure.",
          "type": "boolean"
        },
        "thread": {
          "description": "The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0.",
          "type": "string",
          "minLength": 1,
          "maxLength": 128
        },
        "preview": {
          "description": "The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`.",
          "type": "string",
          "maxLength": 120
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "thinks": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockSkeleton"
          }
        },
        "tool_calls": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/SkeletonToolCall"
          }
        },
        "child_order": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockId"
          }
        }
      },
      "additionalProperties": false
    },
    "SkeletonOrphans": {
      "title": "SkeletonOrphans",
      "description": "Skeletons of blocks whose parent is missing or of the wrong kind.",
      "type": "object",
      "required": [
        "tool_calls",
        "tool_results",
        "thinks"
      ],
      "properties": {
        "tool_calls": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/SkeletonToolCall"
          }
        },
        "tool_results": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockSkeleton"
          }
        },
        "thinks": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockSkeleton"
          }
        }
      },
      "additionalProperties": false
    },
    "StitchedSkeleton": {
      "title": "StitchedSkeleton",
      "description": "A trace as a tree without payloads.",
      "type": "object",
      "required": [
        "trace",
        "messages",
        "orphans",
        "page"
      ],
      "properties": {
        "trace": {
          "$ref": "#/$defs/Trace"
        },
        "messages": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/SkeletonMessage"
          }
        },
        "orphans": {
          "$ref": "#/$defs/SkeletonOrphans"
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "BlockList": {
      "title": "BlockList",
      "description": "One page of the blocks of a trace, in the order in which they were written.",
      "type": "object",
      "required": [
        "blocks",
        "page"
      ],
      "properties": {
        "blocks": {
          "type": "array",
          "items": {
            "anyOf": [
              {
                "$ref": "#/$defs/Block"
              },
              {
                "$ref": "#/$defs/BlockSkeleton"
              }
            ]
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "BlockHit": {
      "title": "BlockHit",
      "description": "A block that matches a search, and its location.",
      "type": "object",
      "required": [
        "trace_id",
        "block",
        "excerpt"
      ],
      "properties": {
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block": {
          "$ref": "#/$defs/BlockSkeleton"
        },
        "excerpt": {
          "description": "Text around the first match, at most 160 characters; null if no text was searched for.",
          "type": [
            "string",
            "null"
          ],
          "maxLength": 160
        }
      },
      "additionalProperties": false
    },
    "BlockHitList": {
      "title": "BlockHitList",
      "description": "One page of search results, those of the newest trace first.",
      "type": "object",
      "required": [
        "hits",
        "page"
      ],
      "properties": {
        "hits": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockHit"
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "SearchHit": {
      "title": "SearchHit",
      "description": "A block that matches a query.",
      "type": "object",
      "required": [
        "trace_id",
        "block",
        "tool",
        "text",
        "error"
      ],
      "properties": {
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "block": {
          "$ref": "#/$defs/BlockSkeleton"
        },
        "tool": {
          "description": "Name of the tool, for a call or a result.",
          "type": [
            "string",
            "null"
          ]
        },
        "text": {
          "description": "One line of the block without escape sequences and control characters: around the first match, or its beginning.",
          "type": "string",
          "maxLength": 200
        },
        "error": {
          "description": "Message of a failed result on one line; of a Python traceback, its last line.",
          "type": [
            "string",
            "null"
          ],
          "maxLength": 200
        }
      },
      "additionalProperties": false
    },
    "SearchResults": {
      "title": "SearchResults",
      "description": "One page of search results, those of the newest trace first. If the query is about traces only, there are traces and no hits; otherwise the traces are those of the hits.",
      "type": "object",
      "required": [
        "hits",
        "traces",
        "page"
      ],
      "properties": {
        "hits": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/SearchHit"
          }
        },
        "traces": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/Trace"
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "BulkInput": {
      "title": "BulkInput",
      "description": "Change of many traces: either tags, or deletion.",
      "type": "object",
      "required": [
        "trace_ids"
      ],
      "properties": {
        "trace_ids": {
          "type": "array",
          "minItems": 1,
          "maxItems": 1000,
          "items": {
            "$ref": "#/$defs/TraceId"
          }
        },
        "add_tags": {
          "type": "array",
          "maxItems": 100,
          "items": {
            "type": "string",
            "minLength": 1,
            "maxLength": 256
          }
        },
        "remove_tags": {
          "type": "array",
          "maxItems": 100,
          "items": {
            "type": "string",
            "minLength": 1,
            "maxLength": 256
          }
        },
        "delete": {
          "description": "Deletes the traces with their blocks and scores.",
          "type": "boolean"
        }
      },
      "additionalProperties": false
    },
    "BulkReport": {
      "title": "BulkReport",
      "description": "Result of a change of many traces.",
      "type": "object",
      "required": [
        "changed",
        "failed"
      ],
      "properties": {
        "changed": {
          "description": "Number of traces that the request has changed or deleted.",
          "type": "integer",
          "minimum": 0
        },
        "failed": {
          "description": "Traces that could not be changed.",
          "type": "array",
          "items": {
            "type": "object",
            "required": [
              "trace_id",
              "code",
              "message"
            ],
            "properties": {
              "trace_id": {
                "$ref": "#/$defs/TraceId"
              },
              "code": {
                "type": "string"
              },
              "message": {
                "type": "string"
              }
            },
            "additionalProperties": false
          }
        }
      },
      "additionalProperties": false
    },
    "RewardSummary": {
      "title": "RewardSummary",
      "description": "Summary of the reward_sum of several traces; count_without is the number of traces without a reward. The other values are null if no trace has one.",
      "type": "object",
      "required": [
        "count",
        "count_without",
        "mean",
        "std",
        "min",
        "max"
      ],
      "properties": {
        "count": {
          "type": "integer",
          "minimum": 0
        },
        "count_without": {
          "type": "integer",
          "minimum": 0
        },
        "mean": {
          "type": [
            "number",
            "null"
          ]
        },
        "std": {
          "description": "Population standard deviation.",
          "type": [
            "number",
            "null"
          ]
        },
        "min": {
          "type": [
            "number",
            "null"
          ]
        },
        "max": {
          "type": [
            "number",
            "null"
          ]
        }
      },
      "additionalProperties": false
    },
    "Run": {
      "title": "Run",
      "description": "All traces with one run name, without those that continue another trace. Details are only included if a request asks for them.",
      "type": "object",
      "required": [
        "run",
        "trace_count",
        "block_count",
        "bytes",
        "error_count",
        "status",
        "reward",
        "first_created_at",
        "last_updated_at"
      ],
      "properties": {
        "run": {
          "type": "string"
        },
        "trace_count": {
          "type": "integer",
          "minimum": 0
        },
        "block_count": {
          "type": "integer",
          "minimum": 0
        },
        "bytes": {
          "type": "integer",
          "minimum": 0
        },
        "error_count": {
          "description": "Number of traces with at least one failed tool call.",
          "type": "integer",
          "minimum": 0
        },
        "status": {
          "description": "Number of traces by status.",
          "type": "object",
          "required": [
            "running",
            "finished",
            "error",
            "abandoned"
          ],
          "properties": {
            "running": {
              "type": "integer",
              "minimum": 0
            },
            "finished": {
              "type": "integer",
              "minimum": 0
            },
            "error": {
              "type": "integer",
              "minimum": 0
            },
            "abandoned": {
              "type": "integer",
              "minimum": 0
            }
          },
          "additionalProperties": false
        },
        "reward": {
          "$ref": "#/$defs/RewardSummary"
        },
        "first_created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "last_updated_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "details": {
          "$ref": "#/$defs/RunDetails"
        }
      },
      "additionalProperties": false
    },
    "TraceSummary": {
      "title": "TraceSummary",
      "description": "The fields of a trace that statistics need, without its objects. An imported trace has the times at which it was recorded.",
      "type": "object",
      "required": [
        "id",
        "run",
        "environment",
        "split",
        "task_index",
        "task_key",
        "group_key",
        "step",
        "model",
        "status",
        "reward",
        "block_count",
        "error_count",
        "tokens",
        "cost",
        "values",
        "created_at",
        "finished_at"
      ],
      "properties": {
        "id": {
          "$ref": "#/$defs/TraceId"
        },
        "run": {
          "type": [
            "string",
            "null"
          ]
        },
        "environment": {
          "type": [
            "string",
            "null"
          ]
        },
        "split": {
          "type": [
            "string",
            "null"
          ]
        },
        "task_index": {
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "task_key": {
          "type": [
            "string",
            "null"
          ],
          "pattern": "^[0-9a-f]{64}$"
        },
        "group_key": {
          "description": "Identifies the group of the trace in this store; null if it has none.",
          "type": [
            "string",
            "null"
          ]
        },
        "step": {
          "description": "Training step.",
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0
        },
        "model": {
          "type": [
            "string",
            "null"
          ]
        },
        "status": {
          "$ref": "#/$defs/TraceStatus"
        },
        "reward": {
          "description": "reward_sum of the trace.",
          "type": [
            "number",
            "null"
          ]
        },
        "block_count": {
          "type": "integer",
          "minimum": 0
        },
        "error_count": {
          "type": "integer",
          "minimum": 0
        },
        "tokens": {
          "description": "Tokens that metadata or rollout_info report, by the names that providers use.",
          "type": [
            "number",
            "null"
          ],
          "minimum": 0
        },
        "cost": {
          "description": "Cost that metadata or rollout_info report.",
          "type": [
            "number",
            "null"
          ],
          "minimum": 0
        },
        "values": {
          "description": "Numbers in metadata and rollout_info by their path, such as usage.input_tokens; at most 50.",
          "type": "object",
          "additionalProperties": {
            "type": "number"
          }
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "finished_at": {
          "anyOf": [
            {
              "$ref": "#/$defs/Timestamp"
            },
            {
              "type": "null"
            }
          ]
        }
      },
      "additionalProperties": false
    },
    "TraceSummaryList": {
      "title": "TraceSummaryList",
      "description": "One page of summaries.",
      "type": "object",
      "required": [
        "summaries",
        "page"
      ],
      "properties": {
        "summaries": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/TraceSummary"
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "RunDetails": {
      "title": "RunDetails",
      "description": "What a table of runs shows beside their counts.",
      "type": "object",
      "required": [
        "environments",
        "models",
        "tags",
        "first_step",
        "last_step",
        "passed",
        "mean_seconds",
        "tokens",
        "cost",
        "trend",
        "info"
      ],
      "properties": {
        "environments": {
          "description": "At most 20, the most frequent first.",
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "models": {
          "description": "At most 20, the most frequent first.",
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "tags": {
          "description": "Tags of the traces without those that begin with stop: or failed:; at most 20, the most frequent first.",
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "first_step": {
          "type": [
            "integer",
            "null"
          ]
        },
        "last_step": {
          "type": [
            "integer",
            "null"
          ]
        },
        "passed": {
          "description": "Number of traces whose reward is at least the parameter pass.",
          "type": "integer",
          "minimum": 0
        },
        "mean_seconds": {
          "description": "Mean duration of the traces that ended; null if none did.",
          "type": [
            "number",
            "null"
          ]
        },
        "tokens": {
          "description": "Sum over the traces that report tokens; null if none does.",
          "type": [
            "number",
            "null"
          ]
        },
        "cost": {
          "description": "Sum over the traces that report a cost; null if none does.",
          "type": [
            "number",
            "null"
          ]
        },
        "trend": {
          "description": "Mean reward of consecutive training steps, at most 32 values; null for steps without a reward.",
          "type": "array",
          "maxItems": 32,
          "items": {
            "type": [
              "number",
              "null"
            ]
          }
        },
        "info": {
          "description": "Numbers, texts and booleans in run_info and metadata of the newest trace, by their path, such as lr or usage.input_tokens; at most 50.",
          "type": "object",
          "additionalProperties": {
            "type": [
              "string",
              "number",
              "boolean"
            ]
          }
        }
      },
      "additionalProperties": false
    },
    "RewardQuantiles": {
      "title": "RewardQuantiles",
      "description": "Quantiles of rewards, interpolated between the two nearest rewards.",
      "type": "object",
      "required": [
        "p10",
        "p25",
        "p50",
        "p75",
        "p90"
      ],
      "properties": {
        "p10": {
          "type": "number"
        },
        "p25": {
          "type": "number"
        },
        "p50": {
          "type": "number"
        },
        "p75": {
          "type": "number"
        },
        "p90": {
          "type": "number"
        }
      },
      "additionalProperties": false
    },
    "RunList": {
      "title": "RunList",
      "description": "One page of runs, most recently changed first.",
      "type": "object",
      "required": [
        "runs",
        "page"
      ],
      "properties": {
        "runs": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/Run"
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "StepStats": {
      "title": "StepStats",
      "description": "The traces of one training step; step is null for traces without a step. Quantiles are left out if no trace has a reward.",
      "type": "object",
      "required": [
        "step",
        "trace_count",
        "reward",
        "histogram"
      ],
      "properties": {
        "step": {
          "type": [
            "integer",
            "null"
          ]
        },
        "trace_count": {
          "type": "integer",
          "minimum": 0
        },
        "reward": {
          "$ref": "#/$defs/RewardSummary"
        },
        "histogram": {
          "description": "Number of rewards in each bin of the run; RunStats has the edges.",
          "type": "array",
          "items": {
            "type": "integer",
            "minimum": 0
          }
        },
        "quantiles": {
          "$ref": "#/$defs/RewardQuantiles"
        }
      },
      "additionalProperties": false
    },
    "RunStats": {
      "title": "RunStats",
      "description": "Rewards of a run, as a whole and by step.",
      "type": "object",
      "required": [
        "run",
        "edges",
        "histogram",
        "steps"
      ],
      "properties": {
        "run": {
          "$ref": "#/$defs/Run"
        },
        "edges": {
          "description": "Edges of the bins, ascending; one more than there are bins. A bin includes its lower edge, the last bin both edges.",
          "type": "array",
          "items": {
            "type": "number"
          }
        },
        "histogram": {
          "type": "array",
          "items": {
            "type": "integer",
            "minimum": 0
          }
        },
        "steps": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/StepStats"
          }
        }
      },
      "additionalProperties": false
    },
    "GroupMember": {
      "title": "GroupMember",
      "description": "One rollout of a group.",
      "type": "object",
      "required": [
        "trace_id",
        "rollout_index",
        "status",
        "reward",
        "advantage",
        "block_count"
      ],
      "properties": {
        "trace_id": {
          "$ref": "#/$defs/TraceId"
        },
        "rollout_index": {
          "type": [
            "integer",
            "null"
          ]
        },
        "status": {
          "$ref": "#/$defs/TraceStatus"
        },
        "reward": {
          "type": [
            "number",
            "null"
          ]
        },
        "advantage": {
          "description": "(reward - mean) / (std + 1e-6) of the group; 0 if all rewards are equal, null without a reward.",
          "type": [
            "number",
            "null"
          ]
        },
        "block_count": {
          "type": "integer",
          "minimum": 0
        }
      },
      "additionalProperties": false
    },
    "Group": {
      "title": "Group",
      "description": "Rollouts of one task. Traces that continue another one are in no group.",
      "type": "object",
      "required": [
        "key",
        "group_id",
        "run",
        "environment",
        "split",
        "task_key",
        "task_index",
        "step",
        "reward",
        "members"
      ],
      "properties": {
        "key": {
          "description": "Identifies the group in this store.",
          "type": "string"
        },
        "group_id": {
          "type": [
            "string",
            "null"
          ]
        },
        "run": {
          "type": [
            "string",
            "null"
          ]
        },
        "environment": {
          "type": [
            "string",
            "null"
          ]
        },
        "split": {
          "type": [
            "string",
            "null"
          ]
        },
        "task_key": {
          "type": [
            "string",
            "null"
          ]
        },
        "task_index": {
          "type": [
            "integer",
            "null"
          ]
        },
        "step": {
          "type": [
            "integer",
            "null"
          ]
        },
        "model": {
          "description": "Model of all members; null if they differ, which only a group with a group_id can have.",
          "type": [
            "string",
            "null"
          ]
        },
        "reward": {
          "$ref": "#/$defs/RewardSummary"
        },
        "members": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/GroupMember"
          }
        }
      },
      "additionalProperties": false
    },
    "GroupList": {
      "title": "GroupList",
      "description": "One page of groups.",
      "type": "object",
      "required": [
        "groups",
        "page"
      ],
      "properties": {
        "groups": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/Group"
          }
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "Access": {
      "title": "Access",
      "description": "Permissions of the API key of a request, and its organization.",
      "type": "object",
      "required": [
        "organization",
        "scopes"
      ],
      "properties": {
        "organization": {
          "type": "string"
        },
        "scopes": {
          "type": "array",
          "items": {
            "enum": [
              "read",
              "write"
            ]
          }
        }
      },
      "additionalProperties": false
    },
    "BlobReceipt": {
      "title": "BlobReceipt",
      "description": "Confirms that a blob is on disk.",
      "type": "object",
      "required": [
        "sha256",
        "media_type",
        "bytes"
      ],
      "properties": {
        "sha256": {
          "type": "string",
          "pattern": "^[0-9a-f]{64}$"
        },
        "media_type": {
          "type": "string"
        },
        "bytes": {
          "type": "integer",
          "minimum": 0
        }
      },
      "additionalProperties": false
    },
    "StitchedTrace": {
      "title": "StitchedTrace",
      "description": "A trace as a tree: messages with their thoughts and tool calls, and calls with their results. Every list is ordered by payload.seq (null last), created_at, id.",
      "type": "object",
      "required": [
        "trace",
        "messages",
        "orphans",
        "page"
      ],
      "properties": {
        "trace": {
          "$ref": "#/$defs/Trace"
        },
        "messages": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/StitchedMessage"
          }
        },
        "orphans": {
          "$ref": "#/$defs/Orphans"
        },
        "page": {
          "$ref": "#/$defs/Page"
        }
      },
      "additionalProperties": false
    },
    "ValidationIssue": {
      "title": "ValidationIssue",
      "description": "One broken rule: its location, its name, what was expected and what was found (a type or a short preview).",
      "type": "object",
      "required": [
        "path",
        "rule",
        "expected",
        "got"
      ],
      "properties": {
        "index": {
          "description": "Position of the block in the batch.",
          "type": "integer",
          "minimum": 0
        },
        "path": {
          "description": "JSON pointer into the block.",
          "type": "string"
        },
        "rule": {
          "type": "string",
          "minLength": 1
        },
        "expected": {
          "type": "string"
        },
        "got": {
          "type": "string",
          "maxLength": 80
        }
      },
      "additionalProperties": false
    },
    "ValidationFailure": {
      "title": "ValidationFailure",
      "description": "A required field is missing, a role is unknown, or a parent is missing or not allowed.",
      "type": "object",
      "required": [
        "code",
        "http_status",
        "message",
        "details"
      ],
      "properties": {
        "code": {
          "const": "VALIDATION"
        },
        "http_status": {
          "const": 422
        },
        "message": {
          "type": "string",
          "minLength": 1
        },
        "details": {
          "type": "object",
          "required": [
            "issues"
          ],
          "properties": {
            "issues": {
              "type": "array",
              "minItems": 1,
              "items": {
                "$ref": "#/$defs/ValidationIssue"
              }
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "PayloadTooLarge": {
      "title": "PayloadTooLarge",
      "description": "A field exceeds its byte limit. Nothing was stored, and nothing was truncated.",
      "type": "object",
      "required": [
        "code",
        "http_status",
        "message",
        "details"
      ],
      "properties": {
        "code": {
          "const": "PAYLOAD_TOO_LARGE"
        },
        "http_status": {
          "const": 413
        },
        "message": {
          "type": "string",
          "minLength": 1
        },
        "details": {
          "type": "object",
          "required": [
            "sub_type",
            "field",
            "limit_bytes",
            "actual_bytes",
            "trace_id",
            "parent_block_id"
          ],
          "properties": {
            "index": {
              "description": "Position of the block in the batch.",
              "type": "integer",
              "minimum": 0
            },
            "sub_type": {
              "description": "Null if the request as a whole is too large.",
              "anyOf": [
                {
                  "$ref": "#/$defs/SubType"
                },
                {
                  "type": "null"
                }
              ]
            },
            "field": {
              "enum": [
                "content",
                "arguments",
                "text",
                "output",
                "delta",
                "request_body"
              ]
            },
            "limit_bytes": {
              "type": "integer",
              "minimum": 1
            },
            "actual_bytes": {
              "description": "Null if the client declared no length and the store stopped reading.",
              "type": [
                "integer",
                "null"
              ],
              "minimum": 1
            },
            "trace_id": {
              "description": "Null if a request that names no trace is too large.",
              "anyOf": [
                {
                  "$ref": "#/$defs/TraceId"
                },
                {
                  "type": "null"
                }
              ]
            },
            "parent_block_id": {
              "anyOf": [
                {
                  "$ref": "#/$defs/BlockId"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "ParentSubtypeMismatch": {
      "title": "ParentSubtypeMismatch",
      "description": "The parent exists, but is of a kind that cannot have this block as a child.",
      "type": "object",
      "required": [
        "code",
        "http_status",
        "message",
        "details"
      ],
      "properties": {
        "code": {
          "const": "PARENT_SUBTYPE_MISMATCH"
        },
        "http_status": {
          "const": 409
        },
        "message": {
          "type": "string",
          "minLength": 1
        },
        "details": {
          "type": "object",
          "required": [
            "sub_type",
            "parent_block_id",
            "parent_sub_type",
            "allowed"
          ],
          "properties": {
            "index": {
              "description": "Position of the block in the batch.",
              "type": "integer",
              "minimum": 0
            },
            "sub_type": {
              "$ref": "#/$defs/SubType"
            },
            "parent_block_id": {
              "$ref": "#/$defs/BlockId"
            },
            "parent_sub_type": {
              "$ref": "#/$defs/SubType"
            },
            "allowed": {
              "type": "array",
              "minItems": 1,
              "items": {
                "$ref": "#/$defs/SubType"
              }
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "DuplicateCallId": {
      "title": "DuplicateCallId",
      "description": "The trace already has a tool call with this call_id.",
      "type": "object",
      "required": [
        "code",
        "http_status",
        "message",
        "details"
      ],
      "properties": {
        "code": {
          "const": "DUPLICATE_CALL_ID"
        },
        "http_status": {
          "const": 409
        },
        "message": {
          "type": "string",
          "minLength": 1
        },
        "details": {
          "type": "object",
          "required": [
            "trace_id",
            "call_id",
            "existing_block_id"
          ],
          "properties": {
            "index": {
              "description": "Position of the block in the batch.",
              "type": "integer",
              "minimum": 0
            },
            "trace_id": {
              "$ref": "#/$defs/TraceId"
            },
            "call_id": {
              "$ref": "#/$defs/CallId"
            },
            "existing_block_id": {
              "$ref": "#/$defs/BlockId"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "DuplicateResultSeq": {
      "title": "DuplicateResultSeq",
      "description": "The call already has a result with this seq.",
      "type": "object",
      "required": [
        "code",
        "http_status",
        "message",
        "details"
      ],
      "properties": {
        "code": {
          "const": "DUPLICATE_RESULT_SEQ"
        },
        "http_status": {
          "const": 409
        },
        "message": {
          "type": "string",
          "minLength": 1
        },
        "details": {
          "type": "object",
          "required": [
            "trace_id",
            "call_id",
            "seq",
            "existing_block_id"
          ],
          "properties": {
            "index": {
              "description": "Position of the block in the batch.",
              "type": "integer",
              "minimum": 0
            },
            "trace_id": {
              "$ref": "#/$defs/TraceId"
            },
            "call_id": {
              "$ref": "#/$defs/CallId"
            },
            "seq": {
              "type": "integer",
              "minimum": 0
            },
            "existing_block_id": {
              "$ref": "#/$defs/BlockId"
            }
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "OtherFailure": {
      "title": "OtherFailure",
      "description": "Any other failure of a request to the trace store.",
      "type": "object",
      "required": [
        "code",
        "http_status",
        "message",
        "details"
      ],
      "properties": {
        "code": {
          "enum": [
            "BAD_REQUEST",
            "BAD_JSON",
            "UNAUTHENTICATED",
            "FORBIDDEN",
            "TRACE_NOT_FOUND",
            "BLOCK_NOT_FOUND",
            "NOT_FOUND",
            "METHOD_NOT_ALLOWED",
            "TRACE_ID_CONFLICT",
            "BLOCK_ID_CONFLICT",
            "SCORE_ID_CONFLICT",
            "TRACE_DELETED",
            "UNSUPPORTED_MEDIA_TYPE",
            "IDEMPOTENCY_MISMATCH",
            "RATE_LIMITED",
            "OVERLOADED",
            "INTERNAL"
          ]
        },
        "http_status": {
          "enum": [
            400,
            401,
            403,
            404,
            405,
            408,
            409,
            410,
            415,
            417,
            422,
            429,
            431,
            500,
            503
          ]
        },
        "message": {
          "type": "string",
          "minLength": 1
        },
        "details": {
          "$ref": "#/$defs/JSONObject"
        }
      },
      "additionalProperties": false
    },
    "Failure": {
      "title": "Failure",
      "description": "Reason why a request was rejected.",
      "oneOf": [
        {
          "$ref": "#/$defs/ValidationFailure"
        },
        {
          "$ref": "#/$defs/PayloadTooLarge"
        },
        {
          "$ref": "#/$defs/ParentSubtypeMismatch"
        },
        {
          "$ref": "#/$defs/DuplicateCallId"
        },
        {
          "$ref": "#/$defs/DuplicateResultSeq"
        },
        {
          "$ref": "#/$defs/OtherFailure"
        }
      ]
    },
    "TraceError": {
      "title": "TraceError",
      "description": "The envelope of every error of a trace store; http_status equals the status of the response.",
      "type": "object",
      "required": [
        "error"
      ],
      "properties": {
        "error": {
          "$ref": "#/$defs/Failure"
        }
      },
      "additionalProperties": false
    },
    "ImportReport": {
      "title": "ImportReport",
      "description": "Result of an import.",
      "type": "object",
      "required": [
        "traces",
        "blocks",
        "replayed",
        "failed"
      ],
      "properties": {
        "traces": {
          "description": "Number of traces that were created, or that existed with the same content.",
          "type": "integer",
          "minimum": 0
        },
        "blocks": {
          "description": "Number of written blocks.",
          "type": "integer",
          "minimum": 0
        },
        "replayed": {
          "description": "Number of blocks that existed before.",
          "type": "integer",
          "minimum": 0
        },
        "failed_count": {
          "description": "Number of lines, blocks and traces that could not be read or were rejected.",
          "type": "integer",
          "minimum": 0
        },
        "failed": {
          "description": "The first 1000 of these, each with the error that a write would return. Everything else is imported. `block_id` is null if a trace was rejected with all of its blocks, and if a line is not a block.",
          "type": "array",
          "items": {
            "type": "object",
            "required": [
              "line",
              "trace_id",
              "error"
            ],
            "properties": {
              "line": {
                "type": "integer",
                "minimum": 1
              },
              "trace_id": {
                "anyOf": [
                  {
                    "$ref": "#/$defs/TraceId"
                  },
                  {
                    "type": "null"
                  }
                ]
              },
              "block_id": {
                "anyOf": [
                  {
                    "$ref": "#/$defs/BlockId"
                  },
                  {
                    "type": "null"
                  }
                ]
              },
              "error": {
                "$ref": "#/$defs/Failure"
              }
            },
            "additionalProperties": false
          }
        }
      },
      "additionalProperties": false
    },
    "RolloutEvents": {
      "title": "RolloutEvents",
      "description": "A batch of events of the OpenReward client. Events of another form are kept as far as they can be read, with a warning on their trace.",
      "type": "object",
      "required": [
        "events"
      ],
      "properties": {
        "events": {
          "type": "array",
          "maxItems": 10000,
          "items": {
            "anyOf": [
              {
                "$ref": "#/$defs/RolloutEvent"
              },
              {
                "$ref": "#/$defs/JSONValue"
              }
            ]
          }
        }
      },
      "additionalProperties": true
    },
    "RolloutEvent": {
      "title": "RolloutEvent",
      "description": "Start of a rollout, one of its messages, or later information about it; eventType says which.",
      "oneOf": [
        {
          "$ref": "#/$defs/RolloutStarted"
        },
        {
          "$ref": "#/$defs/RolloutMessage"
        },
        {
          "$ref": "#/$defs/RolloutUpdate"
        }
      ]
    },
    "RolloutStarted": {
      "title": "RolloutStarted",
      "description": "Start of a rollout; eventId is the id of the rollout.",
      "type": "object",
      "required": [
        "eventType",
        "eventId",
        "runName"
      ],
      "properties": {
        "eventType": {
          "const": "rollout"
        },
        "eventId": {
          "type": "string",
          "minLength": 1,
          "maxLength": 48,
          "pattern": "^[0-9A-Za-z_-]+$"
        },
        "timestamp": {
          "type": "number"
        },
        "runName": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        },
        "rolloutName": {
          "type": [
            "string",
            "null"
          ]
        },
        "environment": {
          "type": [
            "string",
            "null"
          ]
        },
        "variant": {
          "type": [
            "string",
            "null"
          ]
        },
        "split": {
          "type": [
            "string",
            "null"
          ]
        },
        "step": {
          "description": "Training step.",
          "type": [
            "integer",
            "null"
          ],
          "minimum": 0,
          "maximum": 9007199254740991
        },
        "metadata": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
        },
        "task_spec": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
        },
        "run_info": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
        }
      },
      "additionalProperties": true
    },
    "RolloutMessage": {
      "title": "RolloutMessage",
      "description": "Message of a rollout; index is its position.",
      "type": "object",
      "required": [
        "eventType",
        "eventId",
        "rolloutEventId",
        "index",
        "type"
      ],
      "properties": {
        "eventType": {
          "const": "message"
        },
        "eventId": {
          "type": "string",
          "minLength": 1,
          "maxLength": 48,
          "pattern": "^[0-9A-Za-z_-]+$"
        },
        "rolloutEventId": {
          "type": "string",
          "minLength": 1,
          "maxLength": 48,
          "pattern": "^[0-9A-Za-z_-]+$"
        },
        "timestamp": {
          "type": "number"
        },
        "index": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        },
        "type": {
          "enum": [
            "system_message",
            "user_message",
            "assistant_message",
            "reasoning",
            "tool_call",
            "tool_result"
          ]
        },
        "content": {
          "type": [
            "string",
            "null"
          ]
        },
        "summary": {
          "type": [
            "string",
            "null"
          ]
        },
        "contentReference": {
          "type": [
            "string",
            "null"
          ]
        },
        "name": {
          "type": [
            "string",
            "null"
          ]
        },
        "callId": {
          "type": [
            "string",
            "null"
          ]
        },
        "reward": {
          "type": [
            "number",
            "null"
          ]
        },
        "isFinished": {
          "type": [
            "boolean",
            "null"
          ]
        },
        "metadata": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
        }
      },
      "additionalProperties": true
    },
    "RolloutUpdate": {
      "title": "RolloutUpdate",
      "description": "Later information about a rollout; eventId is the id of the rollout.",
      "type": "object",
      "required": [
        "eventType",
        "eventId"
      ],
      "properties": {
        "eventType": {
          "const": "rollout_update"
        },
        "eventId": {
          "type": "string",
          "minLength": 1,
          "maxLength": 48,
          "pattern": "^[0-9A-Za-z_-]+$"
        },
        "rollout_info": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
        }
      },
      "additionalProperties": true
    },
    "RolloutReceipt": {
      "title": "RolloutReceipt",
      "description": "Confirms that events are on disk, and lists those that are not.",
      "type": "object",
      "required": [
        "accepted"
      ],
      "properties": {
        "accepted": {
          "description": "Number of events on disk.",
          "type": "integer",
          "minimum": 0
        },
        "refused": {
          "description": "Events that could not be read, or whose trace does not exist; absent if there are none.",
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "required": [
              "index",
              "error"
            ],
            "properties": {
              "index": {
                "description": "Position in the request, from 0.",
                "type": "integer",
                "minimum": 0
              },
              "error": {
                "$ref": "#/$defs/Failure"
              }
            },
            "additionalProperties": false
          }
        }
      },
      "additionalProperties": false
    },
    "RolloutMessages": {
      "title": "RolloutMessages",
      "description": "The messages of a rollout. Arguments are JSON text, and so are other values that are not text.",
      "type": "object",
      "required": [
        "messages"
      ],
      "properties": {
        "messages": {
          "type": "array",
          "items": {
            "type": "object",
            "required": [
              "index",
              "type",
              "content",
              "name",
              "callId",
              "contentReference",
              "summary"
            ],
            "properties": {
              "index": {
                "type": "integer",
                "minimum": 0
              },
              "type": {
                "enum": [
                  "system_message",
                  "user_message",
                  "assistant_message",
                  "reasoning",
                  "tool_call",
                  "tool_result"
                ]
              },
              "content": {
                "type": [
                  "string",
                  "null"
                ]
              },
              "name": {
                "type": [
                  "string",
                  "null"
                ]
              },
              "callId": {
                "type": [
                  "string",
                  "null"
                ]
              },
              "contentReference": {
                "type": [
                  "string",
                  "null"
                ]
              },
              "summary": {
                "type": [
                  "string",
                  "null"
                ]
              }
            },
            "additionalProperties": false
          }
        }
      },
      "additionalProperties": false
    },
    "RolloutRun": {
      "title": "RolloutRun",
      "description": "A run in the format of OpenReward.",
      "type": "object",
      "required": [
        "id",
        "name",
        "num_rollouts",
        "avg_rollout_reward",
        "avg_rollout_length",
        "created_at",
        "updated_at"
      ],
      "properties": {
        "id": {
          "type": "string"
        },
        "name": {
          "type": "string"
        },
        "num_rollouts": {
          "type": "integer"
        },
        "avg_rollout_reward": {
          "type": [
            "number",
            "null"
          ]
        },
        "avg_rollout_length": {
          "type": [
            "number",
            "null"
          ]
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        },
        "updated_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "Rollout": {
      "title": "Rollout",
      "description": "A trace in the format of OpenReward.",
      "type": "object",
      "required": [
        "id",
        "rolloutName",
        "environment",
        "max_reward",
        "num_messages",
        "created_at"
      ],
      "properties": {
        "id": {
          "type": "string"
        },
        "rolloutName": {
          "type": [
            "string",
            "null"
          ]
        },
        "environment": {
          "type": [
            "string",
            "null"
          ]
        },
        "max_reward": {
          "type": [
            "number",
            "null"
          ]
        },
        "num_messages": {
          "type": "integer"
        },
        "created_at": {
          "$ref": "#/$defs/Timestamp"
        }
      },
      "additionalProperties": false
    },
    "RequiredSecrets": {
      "title": "RequiredSecrets",
      "description": "Names of the secrets that an environment needs. A trace store has no environments, so that the list is empty.",
      "type": "object",
      "required": [
        "secrets"
      ],
      "properties": {
        "secrets": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      },
      "additionalProperties": false
    },
    "ResponseChars": {
      "title": "ResponseChars",
      "description": "Length of the responses of a model per rollout, in characters: text of the assistant, arguments of calls, and reasoning that is not hidden. Percentiles are interpolated.",
      "type": "object",
      "required": [
        "mean",
        "p1",
        "p10",
        "p25",
        "p50",
        "p75",
        "p90",
        "p99"
      ],
      "properties": {
        "mean": {
          "type": "number",
          "minimum": 0
        },
        "p1": {
          "type": "number",
          "minimum": 0
        },
        "p10": {
          "type": "number",
          "minimum": 0
        },
        "p25": {
          "type": "number",
          "minimum": 0
        },
        "p50": {
          "type": "number",
          "minimum": 0
        },
        "p75": {
          "type": "number",
          "minimum": 0
        },
        "p90": {
          "type": "number",
          "minimum": 0
        },
        "p99": {
          "type": "number",
          "minimum": 0
        }
      },
      "additionalProperties": false
    },
    "TaskDifficulty": {
      "title": "TaskDifficulty",
      "description": "Rewards and response lengths of the rollouts of one task.",
      "type": "object",
      "required": [
        "split",
        "variant",
        "task_index",
        "avg_reward",
        "min_reward",
        "max_reward",
        "num_rollouts",
        "response_chars"
      ],
      "properties": {
        "split": {
          "type": [
            "string",
            "null"
          ]
        },
        "variant": {
          "type": [
            "string",
            "null"
          ]
        },
        "task_index": {
          "type": "integer",
          "minimum": 0
        },
        "avg_reward": {
          "description": "Mean of reward_sum.",
          "type": "number"
        },
        "min_reward": {
          "type": "number"
        },
        "max_reward": {
          "type": "number"
        },
        "num_rollouts": {
          "description": "Number of rollouts with a reward.",
          "type": "integer",
          "minimum": 1
        },
        "response_chars": {
          "$ref": "#/$defs/ResponseChars"
        }
      },
      "additionalProperties": false
    },
    "TaskDifficultyList": {
      "title": "TaskDifficultyList",
      "description": "The tasks of an environment with logged rollouts, by split, variant and index; null comes first.",
      "type": "object",
      "required": [
        "tasks"
      ],
      "properties": {
        "tasks": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/TaskDifficulty"
          }
        }
      },
      "additionalProperties": false
    }
  }
};
