// generated from trace.openapi.yaml by ors generate; never edit

/** The OpenAPI document with all references to files resolved. */
export const document: { readonly [key: string]: unknown } = {
  "openapi": "3.1.0",
  "info": {
    "title": "OpenReward traces",
    "version": "0.1.0",
    "summary": "The log of agent runs as trees of blocks. A successful response to a write means that it is on disk.",
    "description": "A trace is the log of one agent run; its blocks are messages, thoughts, tool calls and tool results, and never change. The store validates bodies in the order of its rules, so that each failure has the code that the trace data model assigns to it. Every error has the envelope TraceError, and every response an `X-Request-Id`.",
    "license": {
      "name": "Apache-2.0",
      "identifier": "Apache-2.0"
    }
  },
  "servers": [
    {
      "url": "/"
    }
  ],
  "tags": [
    {
      "name": "traces",
      "description": "Traces, without their blocks."
    },
    {
      "name": "blocks",
      "description": "The blocks of traces."
    },
    {
      "name": "runs",
      "description": "Runs and groups of traces."
    },
    {
      "name": "scores",
      "description": "Judgements of runs, traces and blocks."
    },
    {
      "name": "transfer",
      "description": "Exports, imports and blobs."
    },
    {
      "name": "rollouts",
      "description": "Requests of the OpenReward client."
    },
    {
      "name": "spans",
      "description": "Spans of OpenTelemetry."
    },
    {
      "name": "service",
      "description": "Health, metrics, access and specification of the server."
    }
  ],
  "security": [
    {},
    {
      "ApiKey": []
    },
    {
      "Bearer": []
    }
  ],
  "paths": {
    "/v1/organizations/{org}/traces": {
      "get": {
        "operationId": "listTraces",
        "tags": [
          "traces"
        ],
        "summary": "List traces",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/RunFilter"
          },
          {
            "$ref": "#/components/parameters/EnvironmentFilter"
          },
          {
            "$ref": "#/components/parameters/SplitFilter"
          },
          {
            "$ref": "#/components/parameters/TaskKeyFilter"
          },
          {
            "$ref": "#/components/parameters/GroupFilter"
          },
          {
            "$ref": "#/components/parameters/StepFilter"
          },
          {
            "$ref": "#/components/parameters/StatusFilter"
          },
          {
            "$ref": "#/components/parameters/ModelFilter"
          },
          {
            "$ref": "#/components/parameters/TagFilter"
          },
          {
            "$ref": "#/components/parameters/RewardMin"
          },
          {
            "$ref": "#/components/parameters/RewardMax"
          },
          {
            "$ref": "#/components/parameters/HasError"
          },
          {
            "$ref": "#/components/parameters/ContinuedTrace"
          },
          {
            "$ref": "#/components/parameters/HasParent"
          },
          {
            "$ref": "#/components/parameters/CreatedAfter"
          },
          {
            "$ref": "#/components/parameters/CreatedBefore"
          },
          {
            "$ref": "#/components/parameters/Search"
          },
          {
            "$ref": "#/components/parameters/ScoreFilter"
          },
          {
            "$ref": "#/components/parameters/QueryFilter"
          },
          {
            "$ref": "#/components/parameters/TraceSort"
          },
          {
            "$ref": "#/components/parameters/Order"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of traces.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/TraceList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      },
      "post": {
        "operationId": "createTrace",
        "tags": [
          "traces"
        ],
        "summary": "Create a trace",
        "description": "If a trace with this id and the same fields exists, the response is 200 with that trace.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/IdempotencyKey"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/TraceInput"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The existing trace.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Trace"
                }
              }
            }
          },
          "201": {
            "description": "The new trace.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Trace"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/traces/{traceId}": {
      "get": {
        "operationId": "getTrace",
        "tags": [
          "traces"
        ],
        "summary": "Read a trace without its blocks",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          }
        ],
        "responses": {
          "200": {
            "description": "The trace.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Trace"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      },
      "patch": {
        "operationId": "updateTrace",
        "tags": [
          "traces"
        ],
        "summary": "Change fields of a trace",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/TracePatch"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The changed trace.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Trace"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      },
      "delete": {
        "operationId": "deleteTrace",
        "tags": [
          "traces"
        ],
        "summary": "Delete a trace and its blocks",
        "description": "Requests with its id get 410 from then on.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          }
        ],
        "responses": {
          "204": {
            "description": "The trace is deleted."
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/traces/{traceId}/blocks": {
      "get": {
        "operationId": "listBlocks",
        "tags": [
          "blocks"
        ],
        "summary": "Read blocks in the order in which they were written",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          },
          {
            "$ref": "#/components/parameters/After"
          },
          {
            "$ref": "#/components/parameters/Before"
          },
          {
            "$ref": "#/components/parameters/BlockTypeFilter"
          },
          {
            "$ref": "#/components/parameters/SubTypeFilter"
          },
          {
            "$ref": "#/components/parameters/CallIdFilter"
          },
          {
            "$ref": "#/components/parameters/ParentFilter"
          },
          {
            "$ref": "#/components/parameters/IdsFilter"
          },
          {
            "$ref": "#/components/parameters/Fields"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of blocks.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/BlockList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      },
      "post": {
        "operationId": "appendBlocks",
        "tags": [
          "blocks"
        ],
        "summary": "Write one block, or up to 1000 that succeed or fail together",
        "description": "The response to one block is the stored block, that to a batch one receipt per block. Blocks that exist with the same content are not written again; if all of them exist, the response is 200.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          },
          {
            "$ref": "#/components/parameters/DryRun"
          },
          {
            "$ref": "#/components/parameters/IdempotencyKey"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/BlockWrite"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The blocks that existed already, or the result of a dry run.",
            "content": {
              "application/json": {
                "schema": {
                  "anyOf": [
                    {
                      "$ref": "#/components/schemas/Block"
                    },
                    {
                      "$ref": "#/components/schemas/BatchReceipt"
                    },
                    {
                      "$ref": "#/components/schemas/DryRun"
                    }
                  ]
                }
              }
            }
          },
          "201": {
            "description": "The written block, or its receipts.",
            "content": {
              "application/json": {
                "schema": {
                  "anyOf": [
                    {
                      "$ref": "#/components/schemas/Block"
                    },
                    {
                      "$ref": "#/components/schemas/BatchReceipt"
                    }
                  ]
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/traces/{traceId}/blocks/{blockId}": {
      "get": {
        "operationId": "getBlock",
        "tags": [
          "blocks"
        ],
        "summary": "Read a block",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          },
          {
            "$ref": "#/components/parameters/BlockId"
          }
        ],
        "responses": {
          "200": {
            "description": "The block.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Block"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/traces/{traceId}/blocks.stitched": {
      "get": {
        "operationId": "stitchedBlocks",
        "tags": [
          "blocks"
        ],
        "summary": "Read a trace as a tree",
        "description": "Messages with their thoughts and tool calls, and calls with their results. Without `limit` and `cursor`, the response is the whole tree, which is sent while it is read; its `next_cursor` is null. With one of them, it is a page of complete messages.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          },
          {
            "$ref": "#/components/parameters/Assemble"
          },
          {
            "$ref": "#/components/parameters/Fields"
          },
          {
            "$ref": "#/components/parameters/RootCursor"
          },
          {
            "$ref": "#/components/parameters/RootLimit"
          }
        ],
        "responses": {
          "200": {
            "description": "The tree, or one page of it.",
            "content": {
              "application/json": {
                "schema": {
                  "anyOf": [
                    {
                      "$ref": "#/components/schemas/StitchedTrace"
                    },
                    {
                      "$ref": "#/components/schemas/StitchedSkeleton"
                    }
                  ]
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/blocks": {
      "get": {
        "operationId": "findBlocks",
        "tags": [
          "blocks"
        ],
        "summary": "Find blocks in many traces",
        "description": "Returns skeletons of the blocks that match all parameters: those of the newest trace first, within a trace in the order of writing. Without `trace_id`, `run`, `environment` and `group_id`, all traces of the organization are searched. A request works for a fraction of a second at most and returns what it has found: a page may have fewer hits than `limit`, or none, although more follow. The search is complete when `next_cursor` is null. Traces and blocks that are written during a search are found if their position has not been passed yet; no block is found twice.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceFilter"
          },
          {
            "$ref": "#/components/parameters/RunFilter"
          },
          {
            "$ref": "#/components/parameters/EnvironmentFilter"
          },
          {
            "$ref": "#/components/parameters/GroupFilter"
          },
          {
            "$ref": "#/components/parameters/SubTypeFilter"
          },
          {
            "$ref": "#/components/parameters/ToolFilter"
          },
          {
            "$ref": "#/components/parameters/FailedFilter"
          },
          {
            "$ref": "#/components/parameters/TextFilter"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          },
          {
            "$ref": "#/components/parameters/HitLimit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of hits.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/BlockHitList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/search": {
      "get": {
        "operationId": "search",
        "tags": [
          "blocks"
        ],
        "summary": "Search with a query",
        "description": "Terms are texts, quoted phrases and fields such as `tool:bash`, `error:timeout`, `model:qwen`, `env:`, `run:`, `reward:>0.5`, `meta.level:hard`, `after:7d` and `before:2026-01-31`; all must match. `:` means that a text contains the value, ignoring case, and `:=` that it equals the value; `-` or `NOT` before a term negates it. A query with a text, or with `tool`, `error`, `kind` or `role`, finds blocks; any other query finds traces. Results of the newest trace come first. A request works for a fraction of a second at most and returns what it has found: a page may have fewer results than `limit`, or none, although more follow. The search is complete when `next_cursor` is null.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/SearchText"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          },
          {
            "$ref": "#/components/parameters/HitLimit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of results.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/SearchResults"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/traces/{traceId}/stream": {
      "get": {
        "operationId": "streamTrace",
        "tags": [
          "blocks"
        ],
        "summary": "Follow a trace",
        "description": "Sends every block as an event `block` whose id is the block's ordinal, starting with the first block or after `Last-Event-ID`, without gaps or duplicates, and an event `trace` when the counters or the status have changed. The stream ends with an event `deleted` when the trace is deleted, and with an event `error` when the API key is revoked; the data of both is a TraceError.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          },
          {
            "$ref": "#/components/parameters/After"
          },
          {
            "$ref": "#/components/parameters/LastEventId"
          }
        ],
        "responses": {
          "200": {
            "description": "Events.",
            "content": {
              "text/event-stream": {
                "schema": {
                  "type": "string"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/traces/{traceId}/export": {
      "get": {
        "operationId": "exportTrace",
        "tags": [
          "transfer"
        ],
        "summary": "Export a trace",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/TraceId"
          },
          {
            "$ref": "#/components/parameters/Format"
          }
        ],
        "responses": {
          "200": {
            "description": "The trace in the requested format.",
            "content": {
              "application/x-ndjson": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "text/csv": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "application/vnd.apache.parquet": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "text/html": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/runs": {
      "get": {
        "operationId": "listRuns",
        "tags": [
          "runs"
        ],
        "summary": "List runs",
        "description": "With `query`, the runs that have a trace which matches, with the numbers of the matching traces.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Search"
          },
          {
            "$ref": "#/components/parameters/QueryFilter"
          },
          {
            "$ref": "#/components/parameters/Details"
          },
          {
            "$ref": "#/components/parameters/Pass"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of runs.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RunList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/runs/{run}/stats": {
      "get": {
        "operationId": "runStats",
        "tags": [
          "runs"
        ],
        "summary": "Read the rewards of a run by step",
        "description": "Filters select traces of the run; the response is 404 if none matches.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Run"
          },
          {
            "$ref": "#/components/parameters/Bins"
          },
          {
            "$ref": "#/components/parameters/EnvironmentFilter"
          },
          {
            "$ref": "#/components/parameters/SplitFilter"
          },
          {
            "$ref": "#/components/parameters/TaskKeyFilter"
          },
          {
            "$ref": "#/components/parameters/GroupFilter"
          },
          {
            "$ref": "#/components/parameters/StepFilter"
          },
          {
            "$ref": "#/components/parameters/StatusFilter"
          },
          {
            "$ref": "#/components/parameters/ModelFilter"
          },
          {
            "$ref": "#/components/parameters/TagFilter"
          },
          {
            "$ref": "#/components/parameters/RewardMin"
          },
          {
            "$ref": "#/components/parameters/RewardMax"
          },
          {
            "$ref": "#/components/parameters/HasError"
          },
          {
            "$ref": "#/components/parameters/CreatedAfter"
          },
          {
            "$ref": "#/components/parameters/CreatedBefore"
          },
          {
            "$ref": "#/components/parameters/Search"
          },
          {
            "$ref": "#/components/parameters/ScoreFilter"
          },
          {
            "$ref": "#/components/parameters/QueryFilter"
          }
        ],
        "responses": {
          "200": {
            "description": "Rewards.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RunStats"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/trace-summaries": {
      "get": {
        "operationId": "listTraceSummaries",
        "tags": [
          "runs"
        ],
        "summary": "List what statistics need of traces",
        "description": "The same traces in the same order as listTraces, in a fraction of the size; without those that continue another trace.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/RunFilter"
          },
          {
            "$ref": "#/components/parameters/EnvironmentFilter"
          },
          {
            "$ref": "#/components/parameters/SplitFilter"
          },
          {
            "$ref": "#/components/parameters/TaskKeyFilter"
          },
          {
            "$ref": "#/components/parameters/GroupFilter"
          },
          {
            "$ref": "#/components/parameters/StepFilter"
          },
          {
            "$ref": "#/components/parameters/StatusFilter"
          },
          {
            "$ref": "#/components/parameters/ModelFilter"
          },
          {
            "$ref": "#/components/parameters/TagFilter"
          },
          {
            "$ref": "#/components/parameters/RewardMin"
          },
          {
            "$ref": "#/components/parameters/RewardMax"
          },
          {
            "$ref": "#/components/parameters/HasError"
          },
          {
            "$ref": "#/components/parameters/CreatedAfter"
          },
          {
            "$ref": "#/components/parameters/CreatedBefore"
          },
          {
            "$ref": "#/components/parameters/Search"
          },
          {
            "$ref": "#/components/parameters/ScoreFilter"
          },
          {
            "$ref": "#/components/parameters/QueryFilter"
          },
          {
            "$ref": "#/components/parameters/TraceSort"
          },
          {
            "$ref": "#/components/parameters/Order"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of summaries.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/TraceSummaryList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/runs/{run}/export": {
      "get": {
        "operationId": "exportRun",
        "tags": [
          "transfer"
        ],
        "summary": "Export traces of a run",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Run"
          },
          {
            "$ref": "#/components/parameters/Format"
          },
          {
            "$ref": "#/components/parameters/EnvironmentFilter"
          },
          {
            "$ref": "#/components/parameters/SplitFilter"
          },
          {
            "$ref": "#/components/parameters/TaskKeyFilter"
          },
          {
            "$ref": "#/components/parameters/GroupFilter"
          },
          {
            "$ref": "#/components/parameters/StepFilter"
          },
          {
            "$ref": "#/components/parameters/StatusFilter"
          },
          {
            "$ref": "#/components/parameters/ModelFilter"
          },
          {
            "$ref": "#/components/parameters/TagFilter"
          },
          {
            "$ref": "#/components/parameters/RewardMin"
          },
          {
            "$ref": "#/components/parameters/RewardMax"
          },
          {
            "$ref": "#/components/parameters/HasError"
          },
          {
            "$ref": "#/components/parameters/ContinuedTrace"
          },
          {
            "$ref": "#/components/parameters/HasParent"
          },
          {
            "$ref": "#/components/parameters/CreatedAfter"
          },
          {
            "$ref": "#/components/parameters/CreatedBefore"
          },
          {
            "$ref": "#/components/parameters/Search"
          },
          {
            "$ref": "#/components/parameters/ScoreFilter"
          },
          {
            "$ref": "#/components/parameters/QueryFilter"
          },
          {
            "$ref": "#/components/parameters/Where"
          },
          {
            "$ref": "#/components/parameters/Best"
          },
          {
            "$ref": "#/components/parameters/Per"
          }
        ],
        "responses": {
          "200": {
            "description": "The traces, one after the other.",
            "content": {
              "application/x-ndjson": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "text/csv": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "application/vnd.apache.parquet": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "text/html": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/export": {
      "get": {
        "operationId": "exportTraces",
        "tags": [
          "transfer"
        ],
        "summary": "Export traces",
        "description": "Exports the traces that match all parameters, oldest first. With `best`, only those with the greatest rewards.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Format"
          },
          {
            "$ref": "#/components/parameters/RunFilter"
          },
          {
            "$ref": "#/components/parameters/EnvironmentFilter"
          },
          {
            "$ref": "#/components/parameters/SplitFilter"
          },
          {
            "$ref": "#/components/parameters/TaskKeyFilter"
          },
          {
            "$ref": "#/components/parameters/GroupFilter"
          },
          {
            "$ref": "#/components/parameters/StepFilter"
          },
          {
            "$ref": "#/components/parameters/StatusFilter"
          },
          {
            "$ref": "#/components/parameters/ModelFilter"
          },
          {
            "$ref": "#/components/parameters/TagFilter"
          },
          {
            "$ref": "#/components/parameters/RewardMin"
          },
          {
            "$ref": "#/components/parameters/RewardMax"
          },
          {
            "$ref": "#/components/parameters/HasError"
          },
          {
            "$ref": "#/components/parameters/ContinuedTrace"
          },
          {
            "$ref": "#/components/parameters/HasParent"
          },
          {
            "$ref": "#/components/parameters/CreatedAfter"
          },
          {
            "$ref": "#/components/parameters/CreatedBefore"
          },
          {
            "$ref": "#/components/parameters/Search"
          },
          {
            "$ref": "#/components/parameters/ScoreFilter"
          },
          {
            "$ref": "#/components/parameters/QueryFilter"
          },
          {
            "$ref": "#/components/parameters/Where"
          },
          {
            "$ref": "#/components/parameters/Best"
          },
          {
            "$ref": "#/components/parameters/Per"
          }
        ],
        "responses": {
          "200": {
            "description": "The traces, one after the other, or as a table.",
            "content": {
              "application/x-ndjson": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "text/csv": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "application/vnd.apache.parquet": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              },
              "text/html": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/groups": {
      "get": {
        "operationId": "listGroups",
        "tags": [
          "runs"
        ],
        "summary": "List groups of rollouts of one task, with advantages",
        "description": "`q` and `query` select the groups of which a trace matches; they are returned as a whole, so that advantages do not depend on them.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/RunFilter"
          },
          {
            "$ref": "#/components/parameters/EnvironmentFilter"
          },
          {
            "$ref": "#/components/parameters/SplitFilter"
          },
          {
            "$ref": "#/components/parameters/TaskKeyFilter"
          },
          {
            "$ref": "#/components/parameters/GroupFilter"
          },
          {
            "$ref": "#/components/parameters/StepFilter"
          },
          {
            "$ref": "#/components/parameters/ModelFilter"
          },
          {
            "$ref": "#/components/parameters/Search"
          },
          {
            "$ref": "#/components/parameters/QueryFilter"
          },
          {
            "$ref": "#/components/parameters/GroupSort"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of groups.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/GroupList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/bulk": {
      "post": {
        "operationId": "updateTraces",
        "tags": [
          "traces"
        ],
        "summary": "Tag or delete many traces",
        "description": "Each trace is changed on its own: if some cannot be changed, the others are. Deleting a trace that is deleted already succeeds.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/BulkInput"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The number of changed traces, and the failures.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/BulkReport"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/scores": {
      "get": {
        "operationId": "listScores",
        "tags": [
          "scores"
        ],
        "summary": "List scores",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/ScoredTrace"
          },
          {
            "$ref": "#/components/parameters/ScoredBlock"
          },
          {
            "$ref": "#/components/parameters/ScoredRun"
          },
          {
            "$ref": "#/components/parameters/ScoreName"
          },
          {
            "$ref": "#/components/parameters/AuthorFilter"
          },
          {
            "$ref": "#/components/parameters/Cursor"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "One page of scores, oldest first.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/ScoreList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      },
      "post": {
        "operationId": "createScore",
        "tags": [
          "scores"
        ],
        "summary": "Score a run, a trace or a block",
        "description": "Scores are separate records: neither traces nor blocks change. If a score with this id and the same fields exists, the response is 200 with that score. A trace is deleted with its scores.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/ScoreInput"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The existing score.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Score"
                }
              }
            }
          },
          "201": {
            "description": "The new score.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Score"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/scores/{scoreId}": {
      "delete": {
        "operationId": "deleteScore",
        "tags": [
          "scores"
        ],
        "summary": "Delete a score",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/ScoreId"
          }
        ],
        "responses": {
          "204": {
            "description": "The score is deleted."
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/import": {
      "post": {
        "operationId": "importTraces",
        "tags": [
          "transfer"
        ],
        "summary": "Import traces",
        "description": "Traces and blocks are written by the same rules as in any other write. The report lists everything that cannot be read or is rejected; the rest is imported.",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/ImportFormat"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/x-ndjson": {
              "schema": {
                "type": "string"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The result of the import.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/ImportReport"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/organizations/{org}/blobs/{sha256}": {
      "get": {
        "operationId": "getBlob",
        "tags": [
          "transfer"
        ],
        "summary": "Read a blob",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Sha256"
          }
        ],
        "responses": {
          "200": {
            "description": "The bytes of the blob, with the media type that it was stored with.",
            "content": {
              "*/*": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      },
      "put": {
        "operationId": "putBlob",
        "tags": [
          "transfer"
        ],
        "summary": "Store a blob under the SHA-256 of its bytes",
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Sha256"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "*/*": {
              "schema": {
                "type": "string",
                "format": "binary"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The blob is stored.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/BlobReceipt"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/traces": {
      "post": {
        "operationId": "exportSpans",
        "tags": [
          "spans"
        ],
        "summary": "Store spans of OpenTelemetry as traces",
        "description": "Receiver of OTLP over HTTP. The spans of a trace of OpenTelemetry become the trace `tr_<its id>`: each item of a conversation with a model becomes one block, although every request repeats the conversation; executions of tools become results. The spans follow the GenAI conventions of OpenTelemetry or OpenInference; other attributes are kept in `raw` of the block, or in `metadata.otel.spans` of the trace. Attributes of the resource such as `ors.trace.run` set fields of the trace. Spans may arrive more than once. Traces without any span of an agent are not stored.",
        "requestBody": {
          "required": true,
          "content": {
            "application/x-protobuf": {
              "schema": {
                "type": "string",
                "format": "binary"
              }
            },
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/JSONObject"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The spans are on disk; `partialSuccess` says how many were rejected, and why.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/SpanReceipt"
                }
              },
              "application/x-protobuf": {
                "schema": {
                  "type": "string",
                  "format": "binary"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/rollouts": {
      "post": {
        "operationId": "logRollouts",
        "tags": [
          "rollouts"
        ],
        "summary": "Log events of the OpenReward client",
        "description": "Batches may arrive in any order and more than once; each message is written once, in the order of the indexes. A message whose predecessors are missing is kept, and written when they arrive or when waiting for them times out. Values of another type than documented are kept as far as possible, and listed in `warnings` of the trace; `NaN`, `Infinity` and `-Infinity`, which are not JSON, are kept as `{\"$number\": \"NaN\"}`. An event that cannot be read is refused alone; the response is an error only if all events are refused.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/RolloutEvents"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The number of events on disk, including those that existed before, and the refused events.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RolloutReceipt"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/rollouts/{rolloutId}": {
      "get": {
        "operationId": "getRollout",
        "tags": [
          "rollouts"
        ],
        "summary": "Read the messages of a rollout, in the format of the OpenReward client",
        "description": "Programs read it to resume a rollout.",
        "parameters": [
          {
            "$ref": "#/components/parameters/RolloutId"
          }
        ],
        "responses": {
          "200": {
            "description": "The messages in order.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RolloutMessages"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/runs": {
      "get": {
        "operationId": "listRolloutRuns",
        "tags": [
          "rollouts"
        ],
        "summary": "List runs in the format of OpenReward's command line",
        "parameters": [
          {
            "$ref": "#/components/parameters/RolloutLimit"
          },
          {
            "$ref": "#/components/parameters/RolloutOffset"
          },
          {
            "$ref": "#/components/parameters/RolloutSearch"
          }
        ],
        "responses": {
          "200": {
            "description": "Runs, most recently changed first.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [
                    "runs",
                    "total"
                  ],
                  "properties": {
                    "runs": {
                      "type": "array",
                      "items": {
                        "$ref": "#/components/schemas/RolloutRun"
                      }
                    },
                    "total": {
                      "type": "integer"
                    }
                  }
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/runs/{run}": {
      "get": {
        "operationId": "getRolloutRun",
        "tags": [
          "rollouts"
        ],
        "summary": "Read a run in the format of OpenReward's command line",
        "parameters": [
          {
            "$ref": "#/components/parameters/Run"
          }
        ],
        "responses": {
          "200": {
            "description": "The run.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RolloutRun"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/runs/{run}/rollouts": {
      "get": {
        "operationId": "listRollouts",
        "tags": [
          "rollouts"
        ],
        "summary": "List the rollouts of a run in the format of OpenReward's command line",
        "parameters": [
          {
            "$ref": "#/components/parameters/Run"
          },
          {
            "$ref": "#/components/parameters/RolloutLimit"
          },
          {
            "$ref": "#/components/parameters/RolloutOffset"
          }
        ],
        "responses": {
          "200": {
            "description": "Rollouts, newest first.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [
                    "rollouts",
                    "total"
                  ],
                  "properties": {
                    "rollouts": {
                      "type": "array",
                      "items": {
                        "$ref": "#/components/schemas/Rollout"
                      }
                    },
                    "total": {
                      "type": "integer"
                    }
                  }
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/environments/{owner}/{name}/task-difficulty": {
      "get": {
        "operationId": "getTaskDifficulty",
        "tags": [
          "rollouts"
        ],
        "summary": "Read rewards and response lengths by task, in the format of the OpenReward client",
        "description": "Aggregates the traces whose environment is `owner/name` or `name` and which have a reward and a task_index. The reward of a trace is its reward_sum.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentOwner"
          },
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/VariantFilter"
          },
          {
            "$ref": "#/components/parameters/SplitFilter"
          },
          {
            "$ref": "#/components/parameters/ModelNameFilter"
          },
          {
            "$ref": "#/components/parameters/MinModelParams"
          },
          {
            "$ref": "#/components/parameters/MaxModelParams"
          },
          {
            "$ref": "#/components/parameters/TrainingStage"
          }
        ],
        "responses": {
          "200": {
            "description": "The tasks with rollouts.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/TaskDifficultyList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/environments/{owner}/{name}/required-secrets": {
      "get": {
        "operationId": "getRequiredSecrets",
        "tags": [
          "rollouts"
        ],
        "summary": "Read the secrets that an environment needs, in the format of the OpenReward client",
        "description": "A trace store has no environments, so the list is empty. Programs with one API address for everything ask here, and stop at any other response. The owner may be empty.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentOwner"
          },
          {
            "$ref": "#/components/parameters/EnvironmentName"
          }
        ],
        "responses": {
          "200": {
            "description": "No secrets.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RequiredSecrets"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/v1/access": {
      "get": {
        "operationId": "getAccess",
        "tags": [
          "service"
        ],
        "summary": "Get the permissions of the API key",
        "description": "Without keys, everyone can read and write, and the organization is `default`.",
        "responses": {
          "200": {
            "description": "The organization and the scopes of the key.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Access"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/healthz": {
      "get": {
        "operationId": "healthz",
        "tags": [
          "service"
        ],
        "summary": "Report that the server is running",
        "security": [
          {}
        ],
        "responses": {
          "200": {
            "description": "Success.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [
                    "status"
                  ],
                  "properties": {
                    "status": {
                      "const": "ok"
                    }
                  }
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/readyz": {
      "get": {
        "operationId": "readyz",
        "tags": [
          "service"
        ],
        "summary": "Report whether traces can be written",
        "security": [
          {}
        ],
        "responses": {
          "200": {
            "description": "Success.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [
                    "status"
                  ],
                  "properties": {
                    "status": {
                      "const": "ok"
                    }
                  }
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/metrics": {
      "get": {
        "operationId": "metrics",
        "tags": [
          "service"
        ],
        "summary": "Get metrics for Prometheus",
        "responses": {
          "200": {
            "description": "Counters, gauges and histograms in Prometheus' text format.",
            "content": {
              "text/plain": {
                "schema": {
                  "type": "string"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    },
    "/openapi.json": {
      "get": {
        "operationId": "openapi",
        "tags": [
          "service"
        ],
        "summary": "Get this document",
        "security": [
          {}
        ],
        "responses": {
          "200": {
            "description": "The OpenAPI document of this server.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/JSONObject"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Error"
          },
          "5XX": {
            "$ref": "#/components/responses/Error"
          }
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "ApiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key"
      },
      "Bearer": {
        "type": "http",
        "scheme": "bearer"
      }
    },
    "responses": {
      "Error": {
        "description": "The request was rejected; the body has the reason.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/TraceError"
            }
          }
        }
      }
    },
    "parameters": {
      "Organization": {
        "name": "org",
        "in": "path",
        "required": true,
        "description": "Name of the organization; `default` without keys.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 128,
          "pattern": "^[0-9A-Za-z][0-9A-Za-z._-]*$"
        }
      },
      "TraceId": {
        "name": "traceId",
        "in": "path",
        "required": true,
        "description": "Id of the trace.",
        "schema": {
          "$ref": "#/components/schemas/TraceId"
        }
      },
      "BlockId": {
        "name": "blockId",
        "in": "path",
        "required": true,
        "description": "Id of the block.",
        "schema": {
          "$ref": "#/components/schemas/BlockId"
        }
      },
      "Run": {
        "name": "run",
        "in": "path",
        "required": true,
        "description": "Name of the run.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      },
      "RolloutId": {
        "name": "rolloutId",
        "in": "path",
        "required": true,
        "description": "Id of the rollout, which is the id of its trace without `tr_`.",
        "schema": {
          "type": "string",
          "pattern": "^[0-9A-Za-z_-]{1,64}$"
        }
      },
      "EnvironmentOwner": {
        "name": "owner",
        "in": "path",
        "required": true,
        "description": "Owner of the environment.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      },
      "EnvironmentName": {
        "name": "name",
        "in": "path",
        "required": true,
        "description": "Name of the environment.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      },
      "Sha256": {
        "name": "sha256",
        "in": "path",
        "required": true,
        "description": "SHA-256 of the bytes, in lower-case hex.",
        "schema": {
          "type": "string",
          "pattern": "^[0-9a-f]{64}$"
        }
      },
      "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "For 24 hours, a request with the same key and the same body returns the first response.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      },
      "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "Ordinal of the last received block; browsers send it automatically.",
        "schema": {
          "type": "string"
        }
      },
      "RunFilter": {
        "name": "run",
        "in": "query",
        "allowReserved": true,
        "description": "Only items of this run.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "EnvironmentFilter": {
        "name": "environment",
        "in": "query",
        "allowReserved": true,
        "description": "Only items of this environment.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "VariantFilter": {
        "name": "variant",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces of this variant.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "ModelNameFilter": {
        "name": "model_name",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces of this model.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "MinModelParams": {
        "name": "min_model_params",
        "in": "query",
        "description": "Only traces whose run_info.model_params is this number or greater.",
        "schema": {
          "type": "number"
        }
      },
      "MaxModelParams": {
        "name": "max_model_params",
        "in": "query",
        "description": "Only traces whose run_info.model_params is this number or smaller.",
        "schema": {
          "type": "number"
        }
      },
      "TrainingStage": {
        "name": "training_stage",
        "in": "query",
        "description": "Only traces with this run_info.training_stage.",
        "schema": {
          "enum": [
            "pretrained",
            "sft",
            "rl"
          ]
        }
      },
      "SplitFilter": {
        "name": "split",
        "in": "query",
        "allowReserved": true,
        "description": "Only items of this split.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "TaskKeyFilter": {
        "name": "task_key",
        "in": "query",
        "allowReserved": true,
        "description": "Only items of the task with this key.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "GroupFilter": {
        "name": "group_id",
        "in": "query",
        "allowReserved": true,
        "description": "Only items of this group.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "ModelFilter": {
        "name": "model",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces of this model.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "TagFilter": {
        "name": "tag",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces with this tag.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "Search": {
        "name": "q",
        "in": "query",
        "allowReserved": true,
        "description": "Only items whose name or id contains this text.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "CallIdFilter": {
        "name": "call_id",
        "in": "query",
        "allowReserved": true,
        "description": "Only calls and results with this call_id.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "StepFilter": {
        "name": "step",
        "in": "query",
        "description": "Only items of this training step.",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      },
      "StatusFilter": {
        "name": "status",
        "in": "query",
        "description": "Only traces with this status.",
        "schema": {
          "$ref": "#/components/schemas/TraceStatus"
        }
      },
      "RewardMin": {
        "name": "reward_min",
        "in": "query",
        "description": "Minimum of reward_sum.",
        "schema": {
          "type": "number"
        }
      },
      "RewardMax": {
        "name": "reward_max",
        "in": "query",
        "description": "Maximum of reward_sum.",
        "schema": {
          "type": "number"
        }
      },
      "HasError": {
        "name": "has_error",
        "in": "query",
        "description": "Only traces with failed tool calls, or only those without.",
        "schema": {
          "type": "boolean"
        }
      },
      "ContinuedTrace": {
        "name": "parent",
        "in": "query",
        "description": "Only traces that continue this trace.",
        "schema": {
          "$ref": "#/components/schemas/TraceId"
        }
      },
      "HasParent": {
        "name": "has_parent",
        "in": "query",
        "description": "Only traces that continue another one, or only those that do not.",
        "schema": {
          "type": "boolean"
        }
      },
      "CreatedAfter": {
        "name": "created_after",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces created at this time or later.",
        "schema": {
          "$ref": "#/components/schemas/Timestamp"
        }
      },
      "CreatedBefore": {
        "name": "created_before",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces created before this time.",
        "schema": {
          "$ref": "#/components/schemas/Timestamp"
        }
      },
      "Details": {
        "name": "details",
        "in": "query",
        "description": "Includes the details of each run.",
        "schema": {
          "type": "boolean",
          "default": false
        }
      },
      "Pass": {
        "name": "pass",
        "in": "query",
        "description": "Reward from which a trace counts as passed, for the details.",
        "schema": {
          "type": "number",
          "default": 1
        }
      },
      "TraceSort": {
        "name": "sort",
        "in": "query",
        "description": "Sort key; `score:<name>` sorts by the mean of the values with this name. Traces without a reward or value come last.",
        "schema": {
          "type": "string",
          "pattern": "^(created|reward|length|score:.{1,128})$",
          "default": "created"
        }
      },
      "ScoreFilter": {
        "name": "score",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces with such a score, of themselves or of a block: a name, or a name and a comparison by = > >= < <= with a number or, for =, with a label. `correctness>=0.5`, `category=wrong tool`.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1200
        }
      },
      "ScoreId": {
        "name": "scoreId",
        "in": "path",
        "required": true,
        "description": "Id of the score.",
        "schema": {
          "type": "string",
          "pattern": "^sc_[0-9A-Za-z_-]{1,64}$"
        }
      },
      "ScoredTrace": {
        "name": "trace_id",
        "in": "query",
        "description": "Only scores of this trace and its blocks.",
        "schema": {
          "$ref": "#/components/schemas/TraceId"
        }
      },
      "ScoredBlock": {
        "name": "block_id",
        "in": "query",
        "description": "Only scores of this block.",
        "schema": {
          "$ref": "#/components/schemas/BlockId"
        }
      },
      "ScoredRun": {
        "name": "run",
        "in": "query",
        "allowReserved": true,
        "description": "Only scores of this run, and of its traces and their blocks.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "ScoreName": {
        "name": "name",
        "in": "query",
        "allowReserved": true,
        "description": "Only scores with this name.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "AuthorFilter": {
        "name": "author",
        "in": "query",
        "allowReserved": true,
        "description": "Only scores of this author.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "GroupSort": {
        "name": "sort",
        "in": "query",
        "description": "Sort key; std and mean sort in descending order.",
        "schema": {
          "enum": [
            "created",
            "std",
            "mean"
          ],
          "default": "created"
        }
      },
      "Order": {
        "name": "order",
        "in": "query",
        "description": "Sort order.",
        "schema": {
          "enum": [
            "asc",
            "desc"
          ],
          "default": "desc"
        }
      },
      "Cursor": {
        "name": "cursor",
        "in": "query",
        "allowReserved": true,
        "description": "The next_cursor of the previous page.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2048
        }
      },
      "Limit": {
        "name": "limit",
        "in": "query",
        "description": "Maximum number of items of a page.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1000,
          "default": 100
        }
      },
      "After": {
        "name": "after",
        "in": "query",
        "description": "Only blocks after this ordinal; the first block has 1.",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      },
      "Before": {
        "name": "before",
        "in": "query",
        "description": "Only blocks before this ordinal.",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      },
      "BlockTypeFilter": {
        "name": "block_type",
        "in": "query",
        "description": "Only blocks of this type.",
        "schema": {
          "enum": [
            "MESSAGE",
            "ACT",
            "OBSERVE"
          ]
        }
      },
      "SubTypeFilter": {
        "name": "sub_type",
        "in": "query",
        "description": "Only blocks of this sub type.",
        "schema": {
          "$ref": "#/components/schemas/SubType"
        }
      },
      "ParentFilter": {
        "name": "parent",
        "in": "query",
        "allowReserved": true,
        "description": "Only children of this block.",
        "schema": {
          "$ref": "#/components/schemas/BlockId"
        }
      },
      "IdsFilter": {
        "name": "ids",
        "in": "query",
        "allowReserved": true,
        "description": "Only these blocks, as comma-separated ids; ids that the trace does not have are ignored.",
        "schema": {
          "type": "string",
          "pattern": "^tb_[0-9A-Za-z_-]{1,64}(,tb_[0-9A-Za-z_-]{1,64}){0,99}$"
        }
      },
      "TraceFilter": {
        "name": "trace_id",
        "in": "query",
        "description": "Only blocks of this trace, which must exist.",
        "schema": {
          "$ref": "#/components/schemas/TraceId"
        }
      },
      "ToolFilter": {
        "name": "name",
        "in": "query",
        "allowReserved": true,
        "description": "Only calls of the tool with this name, and their results.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "FailedFilter": {
        "name": "has_error",
        "in": "query",
        "description": "Only tool results that report a failure, or only those that do not.",
        "schema": {
          "type": "boolean"
        }
      },
      "TextFilter": {
        "name": "q",
        "in": "query",
        "allowReserved": true,
        "description": "Only blocks that contain this text in a string value of their payload. Ignores case, letter by letter.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "SearchText": {
        "name": "query",
        "in": "query",
        "required": true,
        "allowReserved": true,
        "description": "Query, such as `tool:bash error:timeout reward:<0.5`.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2048
        }
      },
      "QueryFilter": {
        "name": "query",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces that match this query of the operation search, which may not have texts: `model:qwen reward:>0.5 -tag:draft`. Terms about blocks, such as `tool:bash error:true`, match if one block of the trace matches all of them; if all of them are negated, if no block matches one of them. A page of traces may have fewer than `limit`, although more follow.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2048
        }
      },
      "HitLimit": {
        "name": "limit",
        "in": "query",
        "description": "Maximum number of hits of a page.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 200,
          "default": 50
        }
      },
      "Fields": {
        "name": "fields",
        "in": "query",
        "description": "`all` includes payloads; `skeleton` omits them.",
        "schema": {
          "enum": [
            "all",
            "skeleton"
          ],
          "default": "all"
        }
      },
      "DryRun": {
        "name": "dry_run",
        "in": "query",
        "description": "Validates the blocks without storing them.",
        "schema": {
          "type": "boolean",
          "default": false
        }
      },
      "Assemble": {
        "name": "assemble",
        "in": "query",
        "description": "Adds the joined results to each call.",
        "schema": {
          "type": "boolean",
          "default": false
        }
      },
      "RootCursor": {
        "name": "cursor",
        "in": "query",
        "allowReserved": true,
        "description": "The next_cursor of the previous page.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2048
        }
      },
      "RootLimit": {
        "name": "limit",
        "in": "query",
        "description": "Asks for a page with at most this number of messages; pages with large messages are shorter. 2000 if only a `cursor` is given.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100000
        }
      },
      "Bins": {
        "name": "bins",
        "in": "query",
        "description": "Number of bins of the histogram.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 200,
          "default": 20
        }
      },
      "Format": {
        "name": "format",
        "in": "query",
        "description": "Format of the export.",
        "schema": {
          "enum": [
            "jsonl",
            "openai",
            "sharegpt",
            "atif",
            "otlp-json",
            "csv",
            "parquet",
            "html"
          ],
          "default": "jsonl"
        }
      },
      "Where": {
        "name": "where",
        "in": "query",
        "allowReserved": true,
        "description": "Only traces that match these conditions, such as `reward>=1 and status=finished and metadata.level!=hard`. A condition compares a field with a number or a text by = != > >= < <=, or by ~, which means contains.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2048
        }
      },
      "Best": {
        "name": "best",
        "in": "query",
        "description": "Only this number of traces with the greatest reward of each group, or of each unit of `per`.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1000000
        }
      },
      "Per": {
        "name": "per",
        "in": "query",
        "description": "Unit that `best` compares the rewards of.",
        "schema": {
          "enum": [
            "group",
            "task",
            "run",
            "all"
          ],
          "default": "group"
        }
      },
      "ImportFormat": {
        "name": "format",
        "in": "query",
        "description": "Format of the body.",
        "schema": {
          "enum": [
            "auto",
            "jsonl",
            "atif",
            "firehorse"
          ],
          "default": "auto"
        }
      },
      "RolloutLimit": {
        "name": "limit",
        "in": "query",
        "description": "Maximum number of items of a page.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1000,
          "default": 20
        }
      },
      "RolloutOffset": {
        "name": "offset",
        "in": "query",
        "description": "Number of items to skip.",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "default": 0
        }
      },
      "RolloutSearch": {
        "name": "search",
        "in": "query",
        "allowReserved": true,
        "description": "Only runs whose name contains this text.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      }
    },
    "schemas": {
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
      "TraceId": {
        "title": "TraceId",
        "description": "Id of a trace. Clients may choose it; ids that the store creates sort by time.",
        "type": "string",
        "pattern": "^tr_[0-9A-Za-z_-]{1,64}$"
      },
      "Timestamp": {
        "title": "Timestamp",
        "description": "RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z. Sorts as text.",
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"
      },
      "JSONObject": {
        "title": "JSONObject",
        "description": "Any JSON object.",
        "type": "object",
        "additionalProperties": {
          "$ref": "#/components/schemas/JSONValue"
        }
      },
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
            "$ref": "#/components/schemas/JSONObject"
          },
          {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/JSONValue"
            }
          }
        ]
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
            "$ref": "#/components/schemas/TraceId"
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
                "$ref": "#/components/schemas/JSONObject"
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
            "$ref": "#/components/schemas/TraceStatus"
          },
          "tags": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONObject"
          },
          "run_info": {
            "$ref": "#/components/schemas/JSONObject"
          },
          "rollout_info": {
            "$ref": "#/components/schemas/JSONObject"
          },
          "parent_trace_id": {
            "description": "The trace whose episode this one continues from one of its states; absent if there is none. The continuation begins with the conversation so far. Statistics and groups leave out traces with a parent. The store need not have the parent.",
            "$ref": "#/components/schemas/TraceId"
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
              "$ref": "#/components/schemas/TraceWarning"
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
            "$ref": "#/components/schemas/Timestamp"
          },
          "finished_at": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/Timestamp"
              },
              {
                "type": "null"
              }
            ]
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
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
              "$ref": "#/components/schemas/Trace"
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
                  "$ref": "#/components/schemas/ValidationIssue"
                }
              }
            },
            "additionalProperties": false
          }
        },
        "additionalProperties": false
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
      "BlockId": {
        "title": "BlockId",
        "description": "Id of a block. Clients may choose it, so that a repeated write stores one block.",
        "type": "string",
        "pattern": "^tb_[0-9A-Za-z_-]{1,64}$"
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
                    "$ref": "#/components/schemas/SubType"
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
                    "$ref": "#/components/schemas/TraceId"
                  },
                  {
                    "type": "null"
                  }
                ]
              },
              "parent_block_id": {
                "anyOf": [
                  {
                    "$ref": "#/components/schemas/BlockId"
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
                "$ref": "#/components/schemas/SubType"
              },
              "parent_block_id": {
                "$ref": "#/components/schemas/BlockId"
              },
              "parent_sub_type": {
                "$ref": "#/components/schemas/SubType"
              },
              "allowed": {
                "type": "array",
                "minItems": 1,
                "items": {
                  "$ref": "#/components/schemas/SubType"
                }
              }
            },
            "additionalProperties": false
          }
        },
        "additionalProperties": false
      },
      "CallId": {
        "title": "CallId",
        "description": "Id of a tool call, chosen by the client and unique within its trace. At most 256 bytes of UTF-8.",
        "type": "string",
        "minLength": 1,
        "maxLength": 256
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
                "$ref": "#/components/schemas/TraceId"
              },
              "call_id": {
                "$ref": "#/components/schemas/CallId"
              },
              "existing_block_id": {
                "$ref": "#/components/schemas/BlockId"
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
                "$ref": "#/components/schemas/TraceId"
              },
              "call_id": {
                "$ref": "#/components/schemas/CallId"
              },
              "seq": {
                "type": "integer",
                "minimum": 0
              },
              "existing_block_id": {
                "$ref": "#/components/schemas/BlockId"
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
            "$ref": "#/components/schemas/JSONObject"
          }
        },
        "additionalProperties": false
      },
      "Failure": {
        "title": "Failure",
        "description": "Reason why a request was rejected.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/ValidationFailure"
          },
          {
            "$ref": "#/components/schemas/PayloadTooLarge"
          },
          {
            "$ref": "#/components/schemas/ParentSubtypeMismatch"
          },
          {
            "$ref": "#/components/schemas/DuplicateCallId"
          },
          {
            "$ref": "#/components/schemas/DuplicateResultSeq"
          },
          {
            "$ref": "#/components/schemas/OtherFailure"
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
            "$ref": "#/components/schemas/Failure"
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
            "$ref": "#/components/schemas/TraceId"
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
                "$ref": "#/components/schemas/JSONObject"
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "run_info": {
            "$ref": "#/components/schemas/JSONObject"
          },
          "rollout_info": {
            "$ref": "#/components/schemas/JSONObject"
          },
          "parent_trace_id": {
            "description": "The trace whose episode this one continues from one of its states: another trace, which the store need not have. Statistics and groups leave out traces with a parent.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/TraceId"
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
            "$ref": "#/components/schemas/TraceStatus"
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
            "$ref": "#/components/schemas/TraceStatus"
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
            "$ref": "#/components/schemas/JSONObject"
          }
        },
        "additionalProperties": false
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
                  "$ref": "#/components/schemas/ContentPart"
                }
              }
            ]
          }
        },
        "additionalProperties": true
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "MESSAGE"
          },
          "sub_type": {
            "const": "MESSAGE"
          },
          "payload": {
            "$ref": "#/components/schemas/MessagePayload"
          },
          "parent_block_id": {
            "type": "null"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
      },
      "ToolName": {
        "title": "ToolName",
        "description": "Name of a tool: at most 256 bytes of UTF-8, no control characters, no white space at either end.",
        "type": "string",
        "maxLength": 256,
        "pattern": "^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$"
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
            "$ref": "#/components/schemas/CallId"
          },
          "name": {
            "$ref": "#/components/schemas/ToolName"
          },
          "arguments": {
            "$ref": "#/components/schemas/JSONValue"
          }
        },
        "additionalProperties": true
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "ACT"
          },
          "sub_type": {
            "const": "TOOL_CALL"
          },
          "payload": {
            "$ref": "#/components/schemas/ToolCallPayload"
          },
          "parent_block_id": {
            "$ref": "#/components/schemas/BlockId"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "ACT"
          },
          "sub_type": {
            "const": "THINK"
          },
          "payload": {
            "$ref": "#/components/schemas/ThinkPayload"
          },
          "parent_block_id": {
            "$ref": "#/components/schemas/BlockId"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
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
            "$ref": "#/components/schemas/CallId"
          },
          "output": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "delta": {
            "type": "null"
          },
          "seq": {
            "$ref": "#/components/schemas/Seq"
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
            "$ref": "#/components/schemas/CallId"
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
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/JSONValue"
                }
              }
            ]
          },
          "output": {
            "type": "null"
          },
          "seq": {
            "$ref": "#/components/schemas/Seq"
          }
        },
        "additionalProperties": true
      },
      "ToolResultPayload": {
        "title": "ToolResultPayload",
        "description": "The result of a call, complete or a part of it: exactly one of output and delta.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/ToolResultOutput"
          },
          {
            "$ref": "#/components/schemas/ToolResultDelta"
          }
        ]
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "OBSERVE"
          },
          "sub_type": {
            "const": "TOOL_RESULT"
          },
          "payload": {
            "$ref": "#/components/schemas/ToolResultPayload"
          },
          "parent_block_id": {
            "$ref": "#/components/schemas/BlockId"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          }
        },
        "additionalProperties": false
      },
      "Block": {
        "title": "Block",
        "description": "A stored block; sub_type determines its form. Blocks never change, so updated_at equals created_at.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/MessageBlock"
          },
          {
            "$ref": "#/components/schemas/ToolCallBlock"
          },
          {
            "$ref": "#/components/schemas/ThinkBlock"
          },
          {
            "$ref": "#/components/schemas/ToolResultBlock"
          }
        ]
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
            "$ref": "#/components/schemas/BlockId"
          },
          "block_type": {
            "enum": [
              "MESSAGE",
              "ACT",
              "OBSERVE"
            ]
          },
          "sub_type": {
            "$ref": "#/components/schemas/SubType"
          },
          "parent_block_id": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/BlockId"
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
            "$ref": "#/components/schemas/Timestamp"
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
                  "$ref": "#/components/schemas/Block"
                },
                {
                  "$ref": "#/components/schemas/BlockSkeleton"
                }
              ]
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
          }
        },
        "additionalProperties": false
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "MESSAGE"
          },
          "sub_type": {
            "const": "MESSAGE"
          },
          "payload": {
            "$ref": "#/components/schemas/MessagePayload"
          },
          "parent_block_id": {
            "type": "null"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          }
        },
        "additionalProperties": false
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
            "$ref": "#/components/schemas/CallId"
          },
          "name": {
            "$ref": "#/components/schemas/ToolName"
          },
          "arguments": {
            "$ref": "#/components/schemas/JSONValue"
          }
        },
        "additionalProperties": true
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "ACT"
          },
          "sub_type": {
            "const": "TOOL_CALL"
          },
          "payload": {
            "$ref": "#/components/schemas/ToolCallPayloadInput"
          },
          "parent_block_id": {
            "$ref": "#/components/schemas/BlockId"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "ACT"
          },
          "sub_type": {
            "const": "THINK"
          },
          "payload": {
            "$ref": "#/components/schemas/ThinkPayload"
          },
          "parent_block_id": {
            "$ref": "#/components/schemas/BlockId"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "OBSERVE"
          },
          "sub_type": {
            "const": "TOOL_RESULT"
          },
          "payload": {
            "$ref": "#/components/schemas/ToolResultPayload"
          },
          "parent_block_id": {
            "$ref": "#/components/schemas/BlockId"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          }
        },
        "additionalProperties": false
      },
      "BlockInput": {
        "title": "BlockInput",
        "description": "A block to write; sub_type determines its form. The block_type follows from it and may be omitted; created_at and updated_at are set by the store and rejected in requests. metadata, raw and extra are any JSON, and are returned as they were sent, numbers of any length included; if the store has API keys, an object as metadata gets the field key_id.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/MessageBlockInput"
          },
          {
            "$ref": "#/components/schemas/ToolCallBlockInput"
          },
          {
            "$ref": "#/components/schemas/ThinkBlockInput"
          },
          {
            "$ref": "#/components/schemas/ToolResultBlockInput"
          }
        ]
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
              "$ref": "#/components/schemas/BlockInput"
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
            "$ref": "#/components/schemas/BlockInput"
          },
          {
            "$ref": "#/components/schemas/BlockBatch"
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
            "$ref": "#/components/schemas/BlockId"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
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
              "$ref": "#/components/schemas/BlockReceipt"
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
            "$ref": "#/components/schemas/JSONValue"
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "ACT"
          },
          "sub_type": {
            "const": "TOOL_CALL"
          },
          "payload": {
            "$ref": "#/components/schemas/ToolCallPayload"
          },
          "parent_block_id": {
            "$ref": "#/components/schemas/BlockId"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "tool_results": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ToolResultBlock"
            }
          },
          "assembled": {
            "$ref": "#/components/schemas/AssembledResult"
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
            "$ref": "#/components/schemas/BlockId"
          },
          "trace_id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "block_type": {
            "const": "MESSAGE"
          },
          "sub_type": {
            "const": "MESSAGE"
          },
          "payload": {
            "$ref": "#/components/schemas/MessagePayload"
          },
          "parent_block_id": {
            "type": "null"
          },
          "metadata": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "thinks": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ThinkBlock"
            }
          },
          "tool_calls": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/StitchedToolCall"
            }
          },
          "child_order": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/BlockId"
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
              "$ref": "#/components/schemas/StitchedToolCall"
            }
          },
          "tool_results": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ToolResultBlock"
            }
          },
          "thinks": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ThinkBlock"
            }
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
            "$ref": "#/components/schemas/Trace"
          },
          "messages": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/StitchedMessage"
            }
          },
          "orphans": {
            "$ref": "#/components/schemas/Orphans"
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
            "$ref": "#/components/schemas/BlockId"
          },
          "block_type": {
            "enum": [
              "MESSAGE",
              "ACT",
              "OBSERVE"
            ]
          },
          "sub_type": {
            "$ref": "#/components/schemas/SubType"
          },
          "parent_block_id": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/BlockId"
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
            "$ref": "#/components/schemas/Timestamp"
          },
          "tool_results": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/BlockSkeleton"
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
            "$ref": "#/components/schemas/BlockId"
          },
          "block_type": {
            "enum": [
              "MESSAGE",
              "ACT",
              "OBSERVE"
            ]
          },
          "sub_type": {
            "$ref": "#/components/schemas/SubType"
          },
          "parent_block_id": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/BlockId"
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
            "$ref": "#/components/schemas/Timestamp"
          },
          "thinks": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/BlockSkeleton"
            }
          },
          "tool_calls": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/SkeletonToolCall"
            }
          },
          "child_order": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/BlockId"
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
              "$ref": "#/components/schemas/SkeletonToolCall"
            }
          },
          "tool_results": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/BlockSkeleton"
            }
          },
          "thinks": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/BlockSkeleton"
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
            "$ref": "#/components/schemas/Trace"
          },
          "messages": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/SkeletonMessage"
            }
          },
          "orphans": {
            "$ref": "#/components/schemas/SkeletonOrphans"
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
            "$ref": "#/components/schemas/TraceId"
          },
          "block": {
            "$ref": "#/components/schemas/BlockSkeleton"
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
              "$ref": "#/components/schemas/BlockHit"
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
            "$ref": "#/components/schemas/TraceId"
          },
          "block": {
            "$ref": "#/components/schemas/BlockSkeleton"
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
              "$ref": "#/components/schemas/SearchHit"
            }
          },
          "traces": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/Trace"
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
            "$ref": "#/components/schemas/RewardSummary"
          },
          "first_created_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "last_updated_at": {
            "$ref": "#/components/schemas/Timestamp"
          },
          "details": {
            "$ref": "#/components/schemas/RunDetails"
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
              "$ref": "#/components/schemas/Run"
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
            "$ref": "#/components/schemas/RewardSummary"
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
            "$ref": "#/components/schemas/RewardQuantiles"
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
            "$ref": "#/components/schemas/Run"
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
              "$ref": "#/components/schemas/StepStats"
            }
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
            "$ref": "#/components/schemas/TraceId"
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
            "$ref": "#/components/schemas/TraceStatus"
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
            "$ref": "#/components/schemas/Timestamp"
          },
          "finished_at": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/Timestamp"
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
              "$ref": "#/components/schemas/TraceSummary"
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
            "$ref": "#/components/schemas/TraceId"
          },
          "rollout_index": {
            "type": [
              "integer",
              "null"
            ]
          },
          "status": {
            "$ref": "#/components/schemas/TraceStatus"
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
            "$ref": "#/components/schemas/RewardSummary"
          },
          "members": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/GroupMember"
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
              "$ref": "#/components/schemas/Group"
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
              "$ref": "#/components/schemas/TraceId"
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
                  "$ref": "#/components/schemas/TraceId"
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
                "$ref": "#/components/schemas/TraceId"
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
                "$ref": "#/components/schemas/BlockId"
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "created_at": {
            "$ref": "#/components/schemas/Timestamp"
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
              "$ref": "#/components/schemas/Score"
            }
          },
          "page": {
            "$ref": "#/components/schemas/Page"
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
                "$ref": "#/components/schemas/TraceId"
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
                "$ref": "#/components/schemas/BlockId"
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
            "$ref": "#/components/schemas/JSONObject"
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
                      "$ref": "#/components/schemas/TraceId"
                    },
                    {
                      "type": "null"
                    }
                  ]
                },
                "block_id": {
                  "anyOf": [
                    {
                      "$ref": "#/components/schemas/BlockId"
                    },
                    {
                      "type": "null"
                    }
                  ]
                },
                "error": {
                  "$ref": "#/components/schemas/Failure"
                }
              },
              "additionalProperties": false
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
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          },
          "task_spec": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          },
          "run_info": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
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
                "$ref": "#/components/schemas/JSONObject"
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
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          }
        },
        "additionalProperties": true
      },
      "RolloutEvent": {
        "title": "RolloutEvent",
        "description": "Start of a rollout, one of its messages, or later information about it; eventType says which.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/RolloutStarted"
          },
          {
            "$ref": "#/components/schemas/RolloutMessage"
          },
          {
            "$ref": "#/components/schemas/RolloutUpdate"
          }
        ]
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
                  "$ref": "#/components/schemas/RolloutEvent"
                },
                {
                  "$ref": "#/components/schemas/JSONValue"
                }
              ]
            }
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
                  "$ref": "#/components/schemas/Failure"
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
            "$ref": "#/components/schemas/Timestamp"
          },
          "updated_at": {
            "$ref": "#/components/schemas/Timestamp"
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
            "$ref": "#/components/schemas/Timestamp"
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
            "$ref": "#/components/schemas/ResponseChars"
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
              "$ref": "#/components/schemas/TaskDifficulty"
            }
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
      }
    }
  }
};
