// generated from trace.openapi.yaml by ors generate; never edit

/** The OpenAPI document with all references to files resolved. */
export const document: { readonly [key: string]: unknown } = {
  "openapi": "3.1.0",
  "info": {
    "title": "OpenReward traces",
    "version": "0.1.0",
    "summary": "The log of agent runs as a tree of blocks. A successful answer to a write means that it is on disk.",
    "description": "A trace is the log of one agent run; its blocks are messages, thoughts, tool calls and tool results, and are never changed. Bodies are checked by the store in the order of its rules, so that each failure has the code that the trace data model gives it. Every error has the envelope TraceError, and every answer an `X-Request-Id`.",
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
      "description": "Agent runs, without their blocks."
    },
    {
      "name": "blocks",
      "description": "What happened in a run."
    },
    {
      "name": "runs",
      "description": "Many traces together."
    },
    {
      "name": "transfer",
      "description": "Exports, imports and blobs."
    },
    {
      "name": "rollouts",
      "description": "What the OpenReward client writes and reads."
    },
    {
      "name": "service",
      "description": "About the server itself."
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
            "$ref": "#/components/parameters/CreatedAfter"
          },
          {
            "$ref": "#/components/parameters/CreatedBefore"
          },
          {
            "$ref": "#/components/parameters/Search"
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
        "description": "The same id with the same fields again is answered 200 with the trace that is there.",
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
            "description": "The trace that was there.",
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
        "summary": "Change what may change of a trace",
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
            "description": "The trace as it is now.",
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
        "description": "Its id is answered 410 from then on.",
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
            "description": "It is gone."
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
        "summary": "Write one block, or up to 1000 all or none",
        "description": "One block is answered with the block, a batch with a receipt for each. Blocks that are there already with the same content are not written again: where all are, the answer is 200.",
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
            "description": "What was there already, or what a dry run found.",
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
            "description": "What was written.",
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
        "description": "Messages, under each its thoughts and tool calls, under each call its results. A page holds whole messages.",
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
        "description": "Blocks to which all that is asked for applies, as outlines: those of the newest trace first, within a trace in the order in which they were written. Without `trace_id`, `run`, `environment` and `group_id` all traces of the organization are searched. One request does no more than a fraction of a second of work, and then answers with what it has found: a page may have fewer hits than `limit`, or none, and all the same a `next_cursor`. Only where that is null, everything was searched. Traces and blocks that are written meanwhile are found if they come after the place that the search has reached; no block is found twice.",
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
    "/v1/organizations/{org}/traces/{traceId}/stream": {
      "get": {
        "operationId": "streamTrace",
        "tags": [
          "blocks"
        ],
        "summary": "Follow a trace while it is written",
        "description": "Sends every block as an event `block` whose id is its place, from the first or from `Last-Event-ID` on, without gap or repetition, and an event `trace` when its counters or status have changed. The stream ends with an event `deleted` when the trace is deleted, and with an event `error` when its API key is revoked; the data of both is a TraceError.",
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
            "description": "The trace in the format.",
            "content": {
              "application/octet-stream": {
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
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Search"
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
        "parameters": [
          {
            "$ref": "#/components/parameters/Organization"
          },
          {
            "$ref": "#/components/parameters/Run"
          },
          {
            "$ref": "#/components/parameters/Bins"
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
    "/v1/organizations/{org}/runs/{run}/export": {
      "get": {
        "operationId": "exportRun",
        "tags": [
          "transfer"
        ],
        "summary": "Export all traces of a run",
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
            "$ref": "#/components/parameters/RewardMin"
          },
          {
            "$ref": "#/components/parameters/RewardMax"
          },
          {
            "$ref": "#/components/parameters/StatusFilter"
          }
        ],
        "responses": {
          "200": {
            "description": "The traces, one after the other.",
            "content": {
              "application/octet-stream": {
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
    "/v1/organizations/{org}/import": {
      "post": {
        "operationId": "importTraces",
        "tags": [
          "transfer"
        ],
        "summary": "Import traces",
        "description": "Traces and blocks are written by the same rules as any write. What cannot be read or is refused is named in the report, and stops nothing else.",
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
            "description": "What the import came to.",
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
            "description": "Its bytes.",
            "content": {
              "application/octet-stream": {
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
            "description": "It is stored.",
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
    "/v1/rollouts": {
      "post": {
        "operationId": "logRollouts",
        "tags": [
          "rollouts"
        ],
        "summary": "Log events of the OpenReward client",
        "description": "Batches may arrive in any order and more than once: messages are written in the order of their index, each once. A message whose predecessors are missing is kept, and written when they come or are given up.",
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
            "description": "How many events are on disk, those included that were there before.",
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
    "/v1/runs": {
      "get": {
        "operationId": "listRolloutRuns",
        "tags": [
          "rollouts"
        ],
        "summary": "List runs, as the command of OpenReward reads them",
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
            "description": "Runs, those that changed last first.",
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
        "summary": "Read a run, as the command of OpenReward does",
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
        "summary": "List the rollouts of a run, as the command of OpenReward reads them",
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
    "/v1/access": {
      "get": {
        "operationId": "getAccess",
        "tags": [
          "service"
        ],
        "summary": "Tell what the key of this request may do",
        "description": "Where there are no keys, everybody may read and write, and the organization is `default`.",
        "responses": {
          "200": {
            "description": "Whose traces it may see.",
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
        "summary": "Tell that the server runs",
        "security": [
          {}
        ],
        "responses": {
          "200": {
            "description": "It is.",
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
        "summary": "Tell whether traces can be written",
        "security": [
          {}
        ],
        "responses": {
          "200": {
            "description": "It is.",
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
        "summary": "Tell how this server is doing, for Prometheus",
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
        "summary": "Give this document",
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
        "description": "What was refused, and why.",
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
        "description": "Name of the organization; `default` where there are no keys.",
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
        "description": "The same key with the same body has the answer of the first time, for 24 hours.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      },
      "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "Place of the last block that was received; browsers send it by themselves.",
        "schema": {
          "type": "string"
        }
      },
      "RunFilter": {
        "name": "run",
        "in": "query",
        "allowReserved": true,
        "description": "Only of this run.",
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
        "description": "Only of this environment.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "SplitFilter": {
        "name": "split",
        "in": "query",
        "allowReserved": true,
        "description": "Only of this split.",
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
        "description": "Only of the task with this key.",
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
        "description": "Only of this group.",
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
        "description": "Only of this model.",
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
        "description": "Only with this tag.",
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
        "description": "Only those whose name or id holds this text.",
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
        "description": "Only of this training step.",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      },
      "StatusFilter": {
        "name": "status",
        "in": "query",
        "description": "Only with this status.",
        "schema": {
          "$ref": "#/components/schemas/TraceStatus"
        }
      },
      "RewardMin": {
        "name": "reward_min",
        "in": "query",
        "description": "Only with a reward_sum of at least this.",
        "schema": {
          "type": "number"
        }
      },
      "RewardMax": {
        "name": "reward_max",
        "in": "query",
        "description": "Only with a reward_sum of at most this.",
        "schema": {
          "type": "number"
        }
      },
      "HasError": {
        "name": "has_error",
        "in": "query",
        "description": "Only with, or only without, failed tool calls.",
        "schema": {
          "type": "boolean"
        }
      },
      "CreatedAfter": {
        "name": "created_after",
        "in": "query",
        "allowReserved": true,
        "description": "Only those created at this time or later.",
        "schema": {
          "$ref": "#/components/schemas/Timestamp"
        }
      },
      "CreatedBefore": {
        "name": "created_before",
        "in": "query",
        "allowReserved": true,
        "description": "Only those created before this time.",
        "schema": {
          "$ref": "#/components/schemas/Timestamp"
        }
      },
      "TraceSort": {
        "name": "sort",
        "in": "query",
        "description": "What to order by; those without reward come last.",
        "schema": {
          "enum": [
            "created",
            "reward",
            "length"
          ],
          "default": "created"
        }
      },
      "GroupSort": {
        "name": "sort",
        "in": "query",
        "description": "What to order by; by std and mean the greatest first.",
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
        "description": "Which end comes first.",
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
        "description": "The next_cursor of the page before.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2048
        }
      },
      "Limit": {
        "name": "limit",
        "in": "query",
        "description": "The most items of a page.",
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
        "description": "Only blocks after this place; the first is at 1.",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      },
      "Before": {
        "name": "before",
        "in": "query",
        "description": "Only blocks before this place.",
        "schema": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      },
      "BlockTypeFilter": {
        "name": "block_type",
        "in": "query",
        "description": "Only of this type.",
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
        "description": "Only of this meaning.",
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
        "description": "Only these blocks, ids with commas between them; those that the trace does not have are left out.",
        "schema": {
          "type": "string",
          "pattern": "^tb_[0-9A-Za-z_-]{1,64}(,tb_[0-9A-Za-z_-]{1,64}){0,99}$"
        }
      },
      "TraceFilter": {
        "name": "trace_id",
        "in": "query",
        "description": "Only of this trace, which has to be there.",
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
        "description": "Only blocks that hold this text in one of the string values of their payload; capitals are like small letters, each letter like one letter.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      },
      "HitLimit": {
        "name": "limit",
        "in": "query",
        "description": "The most hits of a page.",
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
        "description": "Whether payloads are wanted, or an outline.",
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
        "description": "Whether only to check the blocks.",
        "schema": {
          "type": "boolean",
          "default": false
        }
      },
      "Assemble": {
        "name": "assemble",
        "in": "query",
        "description": "Whether each call has its results joined.",
        "schema": {
          "type": "boolean",
          "default": false
        }
      },
      "RootCursor": {
        "name": "cursor",
        "in": "query",
        "allowReserved": true,
        "description": "The next_cursor of the page before.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 2048
        }
      },
      "RootLimit": {
        "name": "limit",
        "in": "query",
        "description": "The most messages of a page; large ones make it shorter.",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100000,
          "default": 2000
        }
      },
      "Bins": {
        "name": "bins",
        "in": "query",
        "description": "How many bins the histogram has.",
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
        "description": "How to write it.",
        "schema": {
          "enum": [
            "jsonl",
            "openai",
            "sharegpt",
            "atif",
            "otlp-json"
          ],
          "default": "jsonl"
        }
      },
      "ImportFormat": {
        "name": "format",
        "in": "query",
        "description": "How the body is written.",
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
        "description": "The most items of a page.",
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
        "description": "How many items come before.",
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
        "description": "Only those whose name holds this text.",
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
        "description": "How far the agent run is: finished when the episode said so, error when it failed, abandoned when it was deleted before.",
        "enum": [
          "running",
          "finished",
          "error",
          "abandoned"
        ]
      },
      "Timestamp": {
        "title": "Timestamp",
        "description": "RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z: sorts as text.",
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"
      },
      "TraceId": {
        "title": "TraceId",
        "description": "Id of a trace. A client may choose it; one made by the store sorts by time.",
        "type": "string",
        "pattern": "^tr_[0-9A-Za-z_-]{1,64}$"
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
        "x-typescript": "JSONValue",
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
            "$ref": "#/components/schemas/TraceId"
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
        "description": "Meaning of a block.",
        "enum": [
          "MESSAGE",
          "TOOL_CALL",
          "TOOL_RESULT",
          "THINK"
        ]
      },
      "BlockId": {
        "title": "BlockId",
        "description": "Id of a block. A client may choose it, so that a repeated write stores one block.",
        "type": "string",
        "pattern": "^tb_[0-9A-Za-z_-]{1,64}$"
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
                "description": "Null when the client did not tell and the store stopped reading.",
                "type": [
                  "integer",
                  "null"
                ],
                "minimum": 1
              },
              "trace_id": {
                "description": "Null when a request that names no trace is too large.",
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
                "description": "Place of the block in a batch.",
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
                "description": "Place of the block in a batch.",
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
        "description": "Why a request was refused.",
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
        "description": "A trace to create; every field may be left out. The counters, the times and task_key follow from what is written.",
        "type": "object",
        "properties": {
          "id": {
            "$ref": "#/components/schemas/TraceId"
          },
          "name": {
            "description": "For people.",
            "type": [
              "string",
              "null"
            ],
            "maxLength": 1024
          },
          "run": {
            "description": "The training or evaluation run that it belongs to.",
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
            "description": "Rollouts of one task that are compared with each other. Where it is left out, those of one run, environment, split, task_key and step are a group.",
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
            "description": "Place in its group.",
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
          "status": {
            "$ref": "#/components/schemas/TraceStatus"
          }
        },
        "additionalProperties": false
      },
      "TracePatch": {
        "title": "TracePatch",
        "description": "What may change of a trace: the fields given replace those of before.",
        "type": "object",
        "minProperties": 1,
        "properties": {
          "name": {
            "description": "For people.",
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
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
      "ToolName": {
        "title": "ToolName",
        "description": "Name of a tool: at most 256 bytes of UTF-8, no control characters, no white space at either end.",
        "type": "string",
        "maxLength": 256,
        "pattern": "^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$"
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
            "$ref": "#/components/schemas/CallId"
          },
          "name": {
            "$ref": "#/components/schemas/ToolName"
          },
          "arguments": {
            "$ref": "#/components/schemas/JSONObject"
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
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
        "description": "One streamed piece of a call's result. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).",
        "type": "object",
        "required": [
          "delta"
        ],
        "properties": {
          "call_id": {
            "$ref": "#/components/schemas/CallId"
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
        "description": "The result of a call, whole or one piece of it: exactly one of output and delta.",
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
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
      "Block": {
        "title": "Block",
        "description": "A row of trace_blocks; sub_type tells which. Never changed once written, so updated_at equals created_at.",
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
            "description": "Of the tool, for a TOOL_CALL.",
            "type": [
              "string",
              "null"
            ]
          },
          "role": {
            "description": "Of a MESSAGE.",
            "type": [
              "string",
              "null"
            ]
          },
          "bytes": {
            "description": "Stored bytes.",
            "type": "integer",
            "minimum": 0
          },
          "reward": {
            "description": "extra.reward.",
            "type": [
              "number",
              "null"
            ]
          },
          "is_error": {
            "description": "Whether it is a tool result that reports a failure.",
            "type": "boolean"
          },
          "preview": {
            "description": "The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.",
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
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
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
        "additionalProperties": false
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
            "$ref": "#/components/schemas/CallId"
          },
          "name": {
            "$ref": "#/components/schemas/ToolName"
          },
          "arguments": {
            "description": "An object, or text that parses to one.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
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
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
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
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
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
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
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
        "additionalProperties": false
      },
      "BlockInput": {
        "title": "BlockInput",
        "description": "What a client writes; sub_type tells which. The block_type follows from it and may be left out; metadata, created_at and updated_at belong to the store and are refused.",
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
        "description": "Blocks that are written all or none.",
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
        "description": "One block, or up to 1000 that are written all or none; a block may name one before it as its parent.",
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
        "description": "Says that a block is on disk.",
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
            "description": "Whether it was there before, with the same content.",
            "type": "boolean"
          }
        },
        "additionalProperties": false
      },
      "BatchReceipt": {
        "title": "BatchReceipt",
        "description": "A receipt for each block of a batch, in its order.",
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
        "description": "What a write would come to: every block is valid, and nothing was stored.",
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
            "$ref": "#/components/schemas/JSONValue"
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
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
            "$ref": "#/components/schemas/JSONObject"
          },
          "raw": {
            "$ref": "#/components/schemas/JSONValue"
          },
          "extra": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
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
        "description": "The outline of a tool call with its results.",
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
            "description": "Of the tool, for a TOOL_CALL.",
            "type": [
              "string",
              "null"
            ]
          },
          "role": {
            "description": "Of a MESSAGE.",
            "type": [
              "string",
              "null"
            ]
          },
          "bytes": {
            "description": "Stored bytes.",
            "type": "integer",
            "minimum": 0
          },
          "reward": {
            "description": "extra.reward.",
            "type": [
              "number",
              "null"
            ]
          },
          "is_error": {
            "description": "Whether it is a tool result that reports a failure.",
            "type": "boolean"
          },
          "preview": {
            "description": "The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.",
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
        "description": "The outline of a message with its thoughts and tool calls.",
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
            "description": "Of the tool, for a TOOL_CALL.",
            "type": [
              "string",
              "null"
            ]
          },
          "role": {
            "description": "Of a MESSAGE.",
            "type": [
              "string",
              "null"
            ]
          },
          "bytes": {
            "description": "Stored bytes.",
            "type": "integer",
            "minimum": 0
          },
          "reward": {
            "description": "extra.reward.",
            "type": [
              "number",
              "null"
            ]
          },
          "is_error": {
            "description": "Whether it is a tool result that reports a failure.",
            "type": "boolean"
          },
          "preview": {
            "description": "The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.",
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
        "description": "Outlines of blocks whose parent is missing or of a wrong kind.",
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
        "description": "A block that was found, and where.",
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
            "description": "What stands around the first place of the text that was searched for, at most 160 characters; null where none was.",
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
        "description": "One page of blocks that were found, those of the newest trace first.",
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
      "RewardSummary": {
        "title": "RewardSummary",
        "description": "The reward_sum of some traces; those without any reward are in count_without. All null where none has one.",
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
        "description": "All traces with one run name.",
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
            "description": "Traces with at least one failed tool call.",
            "type": "integer",
            "minimum": 0
          },
          "status": {
            "description": "How many traces have each status.",
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
          }
        },
        "additionalProperties": false
      },
      "RunList": {
        "title": "RunList",
        "description": "One page of runs, those that changed last first.",
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
      "StepStats": {
        "title": "StepStats",
        "description": "The traces of one training step; step is null for those without.",
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
            "description": "How many rewards lie in each of the bins of the run; the edges are those of RunStats.",
            "type": "array",
            "items": {
              "type": "integer",
              "minimum": 0
            }
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
            "description": "Edges of the bins, ascending; one more than there are bins. A bin holds its lower edge, the last both.",
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
            "description": "(reward - mean) / (std + 1e-6) of the group; 0 where all rewards are equal, null without a reward.",
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
        "description": "Rollouts of one task.",
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
            "description": "What names the group in this store.",
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
      "ImportReport": {
        "title": "ImportReport",
        "description": "What an import came to.",
        "type": "object",
        "required": [
          "traces",
          "blocks",
          "replayed",
          "failed"
        ],
        "properties": {
          "traces": {
            "description": "Traces that were created, or were there with the same content.",
            "type": "integer",
            "minimum": 0
          },
          "blocks": {
            "description": "Blocks that were written.",
            "type": "integer",
            "minimum": 0
          },
          "replayed": {
            "description": "Blocks that were there.",
            "type": "integer",
            "minimum": 0
          },
          "failed_count": {
            "description": "Lines, blocks and traces that could not be read or were refused.",
            "type": "integer",
            "minimum": 0
          },
          "failed": {
            "description": "The first 1000 of these, each with the error that a write would have had. All else is imported: `block_id` is null where a trace was refused with all of its blocks, and where a line is no block.",
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
        "description": "Says that a blob is on disk.",
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
      "RolloutStarted": {
        "title": "RolloutStarted",
        "description": "A rollout begins; its eventId is the id of the rollout.",
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
        "description": "A message of a rollout; its place is index.",
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
        "description": "What was learned of a rollout; its eventId is the id of the rollout.",
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
        "description": "A rollout that begins, a message of it, or what was learned of it afterwards; eventType tells which.",
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
        "description": "A batch of events of the OpenReward client.",
        "type": "object",
        "required": [
          "events"
        ],
        "properties": {
          "events": {
            "type": "array",
            "maxItems": 10000,
            "items": {
              "$ref": "#/components/schemas/RolloutEvent"
            }
          }
        },
        "additionalProperties": true
      },
      "RolloutReceipt": {
        "title": "RolloutReceipt",
        "description": "Says that events are on disk.",
        "type": "object",
        "required": [
          "accepted"
        ],
        "properties": {
          "accepted": {
            "type": "integer",
            "minimum": 0
          }
        },
        "additionalProperties": false
      },
      "RolloutRun": {
        "title": "RolloutRun",
        "description": "A run in the words of OpenReward.",
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
        "description": "A trace in the words of OpenReward.",
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
      "Access": {
        "title": "Access",
        "description": "What the key of a request may do, and with whose traces.",
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
