// generated from trace.schema.json by ors generate; never edit

/** The JSON Schema, its file references bundled in. */
export const document: { readonly [key: string]: unknown } = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "TraceMessage",
  "description": "Anything that travels between a client and a trace store. Refer to one definition at a time (#/$defs/Block), never to this document as a whole.",
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
      "description": "Id of a trace. A client may choose it; one made by the store sorts by time.",
      "type": "string",
      "pattern": "^tr_[0-9A-Za-z_-]{1,64}$"
    },
    "BlockId": {
      "title": "BlockId",
      "description": "Id of a block. A client may choose it, so that a repeated write stores one block.",
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
      "description": "RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z: sorts as text.",
      "type": "string",
      "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"
    },
    "SubType": {
      "title": "SubType",
      "description": "Meaning of a block.",
      "enum": [
        "MESSAGE",
        "TOOL_CALL",
        "TOOL_RESULT",
        "THINK"
      ]
    },
    "ContentPart": {
      "title": "ContentPart",
      "description": "One part of a message's content, such as an ORS block; its other fields depend on its type.",
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
      "description": "What was said, and by whom. The content is limited to 65536 bytes (LIMIT_MSG_BYTES).",
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
          "description": "Text, or parts in order; never empty. White space alone is content.",
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
      "description": "A call of a tool, as stored. The arguments are limited to 262144 bytes (LIMIT_TOOL_ARGS_BYTES).",
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
          "$ref": "#/$defs/JSONObject"
        }
      },
      "additionalProperties": true
    },
    "ToolCallPayloadInput": {
      "title": "ToolCallPayloadInput",
      "description": "A call of a tool, as written. Model providers give the arguments as JSON text; it is parsed and stored as an object.",
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
          "description": "An object, or text that parses to one.",
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "string",
              "contentMediaType": "application/json",
              "pattern": "^[ \\t\\r\\n]*[{]"
            }
          ]
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
      "description": "A step of reasoning. The text is limited to 32768 bytes (LIMIT_THINK_BYTES).",
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
      "description": "Place among the results of one call, from 0; null or absent sorts last.",
      "type": [
        "integer",
        "null"
      ],
      "minimum": 0,
      "maximum": 9007199254740991
    },
    "ToolResultOutput": {
      "title": "ToolResultOutput",
      "description": "The whole result of a call. A null delta counts as absent, unless the output is null too. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).",
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
          }
        }
      }
    },
    "ToolResultDelta": {
      "title": "ToolResultDelta",
      "description": "One streamed piece of a call's result. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).",
      "type": "object",
      "required": [
        "delta"
      ],
      "properties": {
        "call_id": {
          "$ref": "#/$defs/CallId"
        },
        "delta": {
          "description": "Text or list items, to be joined in the order of seq.",
          "anyOf": [
            {
              "type": "string"
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
      "description": "The result of a call, whole or one piece of it: exactly one of output and delta.",
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
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
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
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
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
      "additionalProperties": false
    },
    "ThinkBlockInput": {
      "title": "ThinkBlockInput",
      "description": "A step of reasoning to write, under a message of the same trace.",
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
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
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
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
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
      "additionalProperties": false
    },
    "BlockInput": {
      "title": "BlockInput",
      "description": "What a client writes; sub_type tells which. The block_type follows from it and may be left out; metadata, created_at and updated_at belong to the store and are refused.",
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
          "$ref": "#/$defs/JSONObject"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
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
          "$ref": "#/$defs/JSONObject"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
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
    "ThinkBlock": {
      "title": "ThinkBlock",
      "description": "A step of reasoning as stored; its parent is a message.",
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
          "$ref": "#/$defs/JSONObject"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
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
          "$ref": "#/$defs/JSONObject"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
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
    "Block": {
      "title": "Block",
      "description": "A row of trace_blocks; sub_type tells which. Never changed once written, so updated_at equals created_at.",
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
      "description": "How far the agent run is: finished when the episode said so, error when it failed, abandoned when it was deleted before.",
      "enum": [
        "running",
        "finished",
        "error",
        "abandoned"
      ]
    },
    "Trace": {
      "title": "Trace",
      "description": "The log of one agent run, without its blocks. The counters cover every block that is stored.",
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
          "description": "The training or evaluation run that it belongs to.",
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
          "description": "Rollouts of one task that are compared with each other.",
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
          "description": "Place in its group.",
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
        "reward_sum": {
          "description": "Sum of extra.reward over the blocks; null while there is none.",
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
          "description": "Stored bytes of the blocks.",
          "type": "integer",
          "minimum": 0
        },
        "error_count": {
          "description": "Tool results that report a failure.",
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
    "AssembledResult": {
      "title": "AssembledResult",
      "description": "The results of one call joined: the last output if there is one (complete), else the deltas in order (partial), else nothing yet (pending).",
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
          "description": "Values of seq that are missing between 0 and the highest one of a delta, ascending; at most 1000.",
          "type": "array",
          "maxItems": 1000,
          "items": {
            "type": "integer",
            "minimum": 0
          }
        },
        "more_gaps": {
          "description": "How many more are missing, where there are more than 1000.",
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
          "$ref": "#/$defs/JSONObject"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
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
      "description": "A message with its thoughts and tool calls. The child_order keeps how the two interleave.",
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
          "$ref": "#/$defs/JSONObject"
        },
        "raw": {
          "$ref": "#/$defs/JSONValue"
        },
        "extra": {
          "anyOf": [
            {
              "$ref": "#/$defs/JSONObject"
            },
            {
              "type": "null"
            }
          ]
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
      "description": "Blocks whose parent is missing or of a wrong kind: all empty unless the data was damaged or restored. Results stay under their call, also when that call is an orphan.",
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
      "description": "Where the next page begins; null on the last one.",
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
    "StitchedTrace": {
      "title": "StitchedTrace",
      "description": "A trace as a tree: messages, under each its thoughts and tool calls, under each call its results. Every list is ordered by payload.seq (null last), created_at, id.",
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
      "description": "One broken rule: where, which, what was expected and what was found (a type or a short preview).",
      "type": "object",
      "required": [
        "path",
        "rule",
        "expected",
        "got"
      ],
      "properties": {
        "index": {
          "description": "Place of the block in a batch.",
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
      "description": "A required field is missing, a role is unknown, a parent is missing or not allowed.",
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
      "description": "A field exceeds its byte limit. Nothing was stored and nothing was cut.",
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
              "description": "Place of the block in a batch.",
              "type": "integer",
              "minimum": 0
            },
            "sub_type": {
              "description": "Null when the request as a whole is too large.",
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
              "description": "Null when the client did not tell and the store stopped reading.",
              "type": [
                "integer",
                "null"
              ],
              "minimum": 1
            },
            "trace_id": {
              "$ref": "#/$defs/TraceId"
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
      "description": "The parent exists, but a block of this kind may not hang under it.",
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
              "description": "Place of the block in a batch.",
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
              "description": "Place of the block in a batch.",
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
              "description": "Place of the block in a batch.",
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
            "BAD_JSON",
            "UNAUTHENTICATED",
            "FORBIDDEN",
            "TRACE_NOT_FOUND",
            "BLOCK_NOT_FOUND",
            "NOT_FOUND",
            "METHOD_NOT_ALLOWED",
            "TRACE_ID_CONFLICT",
            "BLOCK_ID_CONFLICT",
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
            409,
            410,
            415,
            422,
            429,
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
    "TraceError": {
      "title": "TraceError",
      "description": "The envelope of every error of a trace store; http_status equals the status of the response.",
      "type": "object",
      "required": [
        "error"
      ],
      "properties": {
        "error": {
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
        }
      },
      "additionalProperties": false
    }
  }
};
