// generated from ors.openapi.yaml by ors generate; never edit

/** The OpenAPI document with all references to files resolved. */
export const document: { readonly [key: string]: unknown } = {
  "openapi": "3.1.0",
  "info": {
    "title": "Open Reward Standard",
    "version": "0.1.0",
    "summary": "Language-model agents meet reinforcement-learning environments over HTTP and Server-Sent Events.",
    "description": "An environment is a set of tasks and tools. An episode is one session with one task: create a session id, create the episode, read the prompt, call tools until `finished` is true, delete the episode. Schemas named after the standard's data types say what authors and other servers may write; those named `Serialized...` say what this server sends, with every nullable field present.",
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
      "name": "discovery",
      "description": "What this server offers. No session is needed."
    },
    {
      "name": "sessions",
      "description": "The life of an episode, from its id to its teardown."
    },
    {
      "name": "interaction",
      "description": "What an agent does in a running episode."
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
    "/health": {
      "get": {
        "operationId": "health",
        "tags": [
          "service"
        ],
        "summary": "Tell that the server runs",
        "responses": {
          "200": {
            "$ref": "#/components/responses/Status"
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
    "/ready": {
      "get": {
        "operationId": "ready",
        "tags": [
          "service"
        ],
        "summary": "Tell whether the server takes new episodes",
        "responses": {
          "200": {
            "$ref": "#/components/responses/Status"
          },
          "503": {
            "$ref": "#/components/responses/Unavailable"
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
    "/version": {
      "get": {
        "operationId": "version",
        "tags": [
          "service"
        ],
        "summary": "Name the implementation and its version",
        "responses": {
          "200": {
            "description": "Name and version.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Version"
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
          "404": {
            "$ref": "#/components/responses/NotFound"
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
        "responses": {
          "200": {
            "description": "The OpenAPI document that this server validates requests against.",
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
    },
    "/list_environments": {
      "get": {
        "operationId": "listEnvironments",
        "tags": [
          "discovery"
        ],
        "summary": "List the environments of this server",
        "responses": {
          "200": {
            "description": "Environment names, the default one first.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "example": [
                  "math",
                  "code_env",
                  "web_nav"
                ]
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
    "/create_session": {
      "post": {
        "operationId": "createSession",
        "tags": [
          "sessions"
        ],
        "summary": "Issue a session id",
        "description": "Stores nothing. Answers with Server-Sent Events (`task_id` holding the id, then `end` holding `{\"sid\": ...}`) when `Accept` names `text/event-stream`, with JSON otherwise.",
        "requestBody": {
          "required": false,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/IssueSession"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The new session id.",
            "headers": {
              "X-Session-ID": {
                "$ref": "#/components/headers/SessionId"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/SessionId"
                }
              },
              "text/event-stream": {
                "schema": {
                  "type": "string"
                },
                "x-sse-events": {
                  "task_id": "#/components/schemas/TaskIdEvent",
                  "end": "#/components/schemas/EndEvent"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "413": {
            "$ref": "#/components/responses/TooLarge"
          },
          "503": {
            "$ref": "#/components/responses/Unavailable"
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
    "/create": {
      "post": {
        "operationId": "createEpisode",
        "tags": [
          "sessions"
        ],
        "summary": "Create the episode of a session",
        "description": "Answers at once; setup runs in the background and later requests wait for it. Exactly one of `task_spec` or `split` with `index` names the task. Fields that this server does not know are ignored and named in `X-Ignored-Fields`.",
        "parameters": [
          {
            "$ref": "#/components/parameters/SessionId"
          },
          {
            "$ref": "#/components/parameters/Secrets"
          },
          {
            "$ref": "#/components/parameters/Deployment"
          },
          {
            "$ref": "#/components/parameters/TraceRun"
          },
          {
            "$ref": "#/components/parameters/TraceGroup"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/CreateSession"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The episode exists.",
            "headers": {
              "X-Session-ID": {
                "$ref": "#/components/headers/SessionId"
              },
              "X-Ignored-Fields": {
                "description": "Names of body fields that had no effect, comma-separated and percent-encoded.",
                "schema": {
                  "type": "string"
                }
              },
              "X-Trace-ID": {
                "description": "Id of the trace that the episode is recorded as, where this server records it.",
                "schema": {
                  "type": "string"
                }
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/SessionId"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
          },
          "413": {
            "$ref": "#/components/responses/TooLarge"
          },
          "429": {
            "$ref": "#/components/responses/Unavailable"
          },
          "503": {
            "$ref": "#/components/responses/Unavailable"
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
    "/ping": {
      "post": {
        "operationId": "ping",
        "tags": [
          "sessions"
        ],
        "summary": "Keep a session alive",
        "parameters": [
          {
            "$ref": "#/components/parameters/SessionId"
          }
        ],
        "requestBody": {
          "$ref": "#/components/requestBodies/None"
        },
        "responses": {
          "200": {
            "$ref": "#/components/responses/Status"
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
          },
          "410": {
            "$ref": "#/components/responses/Gone"
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
    "/delete": {
      "post": {
        "operationId": "deleteEpisode",
        "tags": [
          "sessions"
        ],
        "summary": "Tear an episode down",
        "description": "Runs the environment's teardown exactly once. A repeated delete succeeds.",
        "parameters": [
          {
            "$ref": "#/components/parameters/SessionId"
          }
        ],
        "requestBody": {
          "$ref": "#/components/requestBodies/None"
        },
        "responses": {
          "200": {
            "$ref": "#/components/responses/SessionId"
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
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
    "/delete_session": {
      "post": {
        "operationId": "deleteSession",
        "tags": [
          "sessions"
        ],
        "summary": "Release a session id",
        "description": "Optional after `/delete`. Succeeds for every id and deletes nothing.",
        "parameters": [
          {
            "$ref": "#/components/parameters/SessionId"
          }
        ],
        "requestBody": {
          "$ref": "#/components/requestBodies/None"
        },
        "responses": {
          "200": {
            "$ref": "#/components/responses/SessionId"
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
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
    "/{env_name}/tools": {
      "get": {
        "operationId": "listTools",
        "tags": [
          "discovery"
        ],
        "summary": "List the tools shared by all tasks",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/ActiveSession"
          }
        ],
        "responses": {
          "200": {
            "$ref": "#/components/responses/Tools"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
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
    "/{env_name}/splits": {
      "get": {
        "operationId": "listSplits",
        "tags": [
          "discovery"
        ],
        "summary": "List the splits",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/ActiveSession"
          }
        ],
        "responses": {
          "200": {
            "description": "Splits in the author's order.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "array",
                  "items": {
                    "$ref": "#/components/schemas/Split"
                  }
                }
              }
            }
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
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
    "/{env_name}/tasks": {
      "post": {
        "operationId": "listTasks",
        "tags": [
          "discovery"
        ],
        "summary": "List the tasks of a split",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/ActiveSession"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/ListTasks"
              }
            }
          }
        },
        "responses": {
          "200": {
            "$ref": "#/components/responses/TaskList"
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
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
    "/{env_name}/num_tasks": {
      "post": {
        "operationId": "countTasks",
        "tags": [
          "discovery"
        ],
        "summary": "Count the tasks of a split",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/ActiveSession"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/NumTasks"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The number of tasks.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/TaskCount"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
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
    "/{env_name}/task": {
      "post": {
        "operationId": "getTask",
        "tags": [
          "discovery"
        ],
        "summary": "Get one task",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/ActiveSession"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/GetTask"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The task.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/SerializedTaskItem"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
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
    "/{env_name}/task_range": {
      "post": {
        "operationId": "getTaskRange",
        "tags": [
          "discovery"
        ],
        "summary": "Get a slice of the tasks",
        "description": "Bounds follow Python's slices and are clamped, so that no integer is out of range.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/ActiveSession"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/GetTaskRange"
              }
            }
          }
        },
        "responses": {
          "200": {
            "$ref": "#/components/responses/TaskList"
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
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
    "/{env_name}/task_tools": {
      "get": {
        "operationId": "listTaskTools",
        "tags": [
          "interaction"
        ],
        "summary": "List the tools of this episode",
        "description": "The shared tools and those of the episode's task. The session decides, not the path.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/SessionId"
          }
        ],
        "responses": {
          "200": {
            "$ref": "#/components/responses/Tools"
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
          },
          "410": {
            "$ref": "#/components/responses/Gone"
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
    "/{env_name}/prompt": {
      "get": {
        "operationId": "getPrompt",
        "tags": [
          "interaction"
        ],
        "summary": "Get the prompt of the episode",
        "description": "The session decides which environment answers, not the path.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/SessionId"
          }
        ],
        "responses": {
          "200": {
            "description": "The prompt.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/SerializedBlocks"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
          },
          "410": {
            "$ref": "#/components/responses/Gone"
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
    "/{env_name}/call": {
      "post": {
        "operationId": "callTool",
        "tags": [
          "interaction"
        ],
        "summary": "Call a tool",
        "description": "The answer is always an event stream, whatever `Accept` says: `task_id` first and at once, then `chunk` events for a result of more than 4096 characters, then `end`, or `error` in its place. A request that repeats a `task_id` gets the result of that call and runs nothing; results are kept for 60 seconds.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EnvironmentName"
          },
          {
            "$ref": "#/components/parameters/SessionId"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/ToolCall"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The call's events.",
            "content": {
              "text/event-stream": {
                "schema": {
                  "type": "string"
                },
                "x-sse-events": {
                  "task_id": "#/components/schemas/TaskIdEvent",
                  "chunk": "#/components/schemas/ChunkEvent",
                  "end": "#/components/schemas/EndEvent",
                  "error": "#/components/schemas/ErrorEvent"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "404": {
            "$ref": "#/components/responses/NotFound"
          },
          "410": {
            "$ref": "#/components/responses/Gone"
          },
          "413": {
            "$ref": "#/components/responses/TooLarge"
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
        "name": "X-API-Key",
        "description": "Where a server has keys, requests without one of them are 401, but for `/health` and `/ready`. A session belongs to the key that created it, and is 404 for others."
      },
      "Bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The same key, in the header `Authorization`."
      }
    },
    "parameters": {
      "EnvironmentName": {
        "name": "env_name",
        "in": "path",
        "required": true,
        "description": "An environment's name, in any case.",
        "schema": {
          "type": "string",
          "minLength": 1
        }
      },
      "SessionId": {
        "name": "X-Session-ID",
        "in": "header",
        "required": true,
        "description": "The session's id, issued by `/create_session` or chosen by the client.",
        "schema": {
          "$ref": "#/components/schemas/SessionKey"
        }
      },
      "Secrets": {
        "name": "X-Secrets",
        "in": "header",
        "required": false,
        "description": "Secrets as base64 of a JSON object from name to `{\"value\": string}`. A secret of the same name in the body wins.",
        "schema": {
          "type": "string"
        }
      },
      "ActiveSession": {
        "name": "X-Session-ID",
        "in": "header",
        "required": false,
        "description": "Counts as activity of the session, if there is one.",
        "schema": {
          "type": "string"
        }
      },
      "Deployment": {
        "name": "X-Deployment",
        "in": "header",
        "required": false,
        "description": "`[owner/]name` of the environment, for a request that names none; ignored if there is no such environment.",
        "schema": {
          "type": "string"
        }
      },
      "TraceRun": {
        "name": "X-Trace-Run",
        "in": "header",
        "required": false,
        "description": "The run that the episode belongs to, for a server that records its episodes.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      },
      "TraceGroup": {
        "name": "X-Trace-Group",
        "in": "header",
        "required": false,
        "description": "The group of episodes of one task that it is compared with, for a server that records its episodes.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      }
    },
    "headers": {
      "SessionId": {
        "description": "The session's id; a proxy can learn from it which node has the session.",
        "schema": {
          "$ref": "#/components/schemas/SessionKey"
        }
      },
      "RetryAfter": {
        "description": "The seconds after which to ask again.",
        "schema": {
          "type": "string",
          "pattern": "^[0-9]+$"
        }
      }
    },
    "requestBodies": {
      "None": {
        "description": "No fields are taken.",
        "required": false,
        "content": {
          "application/json": {
            "schema": {
              "type": "object",
              "additionalProperties": false
            }
          }
        }
      }
    },
    "responses": {
      "Status": {
        "description": "All is well.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Status"
            }
          }
        }
      },
      "SessionId": {
        "description": "The session's id.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/SessionId"
            }
          }
        }
      },
      "Tools": {
        "description": "Tool specifications.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/SerializedListToolsOutput"
            }
          }
        }
      },
      "TaskList": {
        "description": "Tasks in the order of the split.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/SerializedTaskList"
            }
          }
        }
      },
      "BadRequest": {
        "description": "The request can be repaired; `detail` says how.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/ErrorResponse"
            }
          }
        }
      },
      "NotFound": {
        "description": "There is no such environment, session or path.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/ErrorResponse"
            }
          }
        }
      },
      "Gone": {
        "description": "The session was deleted or has expired.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/ErrorResponse"
            }
          }
        }
      },
      "TooLarge": {
        "description": "The body exceeds the server's limit.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/ErrorResponse"
            }
          }
        }
      },
      "Unavailable": {
        "description": "No new episodes are taken now: the server is shutting down, or (503) all its places for sessions, or (429) all those of the API key, are taken.",
        "headers": {
          "Retry-After": {
            "$ref": "#/components/headers/RetryAfter"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/UnavailableResponse"
            }
          }
        }
      },
      "Error": {
        "description": "Any other failure; 401 is that of a request without a key that the server knows.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/ErrorResponse"
            }
          }
        }
      }
    },
    "schemas": {
      "JSONValue": {
        "description": "Any JSON value.",
        "type": [
          "string",
          "number",
          "boolean",
          "null",
          "object",
          "array"
        ],
        "items": {
          "$ref": "#/components/schemas/JSONValue"
        },
        "additionalProperties": {
          "$ref": "#/components/schemas/JSONValue"
        },
        "x-typescript": "JSONValue"
      },
      "JSONObject": {
        "description": "Any JSON object.",
        "type": "object",
        "additionalProperties": {
          "$ref": "#/components/schemas/JSONValue"
        }
      },
      "TextBlock": {
        "description": "Text content.",
        "type": "object",
        "required": [
          "type",
          "text"
        ],
        "properties": {
          "type": {
            "type": "string",
            "const": "text"
          },
          "text": {
            "type": "string"
          },
          "detail": {
            "description": "About this block; not shown to the model.",
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
        "example": {
          "type": "text",
          "text": "What is 2+2?",
          "detail": {
            "language": "en"
          }
        }
      },
      "ImageBlock": {
        "description": "An image.",
        "type": "object",
        "required": [
          "type",
          "data",
          "mimeType"
        ],
        "properties": {
          "type": {
            "type": "string",
            "const": "image"
          },
          "data": {
            "type": "string",
            "description": "The image in base64."
          },
          "mimeType": {
            "type": "string",
            "description": "A media type such as image/png."
          },
          "detail": {
            "description": "About this block; not shown to the model.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "Block": {
        "description": "A piece of content.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/TextBlock"
          },
          {
            "$ref": "#/components/schemas/ImageBlock"
          }
        ]
      },
      "Blocks": {
        "description": "Content in order.",
        "type": "array",
        "items": {
          "$ref": "#/components/schemas/Block"
        }
      },
      "ToolSpec": {
        "description": "A tool as it is shown to agents.",
        "type": "object",
        "required": [
          "name",
          "description",
          "input_schema"
        ],
        "properties": {
          "name": {
            "type": "string"
          },
          "description": {
            "type": "string"
          },
          "input_schema": {
            "description": "JSON Schema of the parameters; null if there are none.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "ToolOutput": {
        "description": "What running a tool gives, as an author or another server may write it.",
        "type": "object",
        "required": [
          "blocks",
          "finished"
        ],
        "properties": {
          "blocks": {
            "$ref": "#/components/schemas/Blocks"
          },
          "reward": {
            "description": "The reward of this step; null or absent means that there is none, which differs from 0.",
            "type": [
              "number",
              "null"
            ]
          },
          "finished": {
            "description": "Whether the episode is complete.",
            "type": "boolean"
          },
          "metadata": {
            "description": "For logs and analysis; not shown to the model.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "ToolCall": {
        "description": "A request to run a tool.",
        "type": "object",
        "required": [
          "name",
          "input"
        ],
        "additionalProperties": false,
        "properties": {
          "name": {
            "type": "string"
          },
          "input": {
            "allOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              }
            ],
            "description": "Parameters that match the tool's input_schema."
          },
          "task_id": {
            "description": "Repeats or chooses the id of the call, for reconnection and tracing.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/CallKey"
              },
              {
                "type": "null"
              }
            ]
          }
        },
        "example": {
          "name": "submit",
          "input": {
            "answer": "42"
          },
          "task_id": "trace-123"
        }
      },
      "ListToolsOutput": {
        "description": "A list of tools.",
        "type": "object",
        "required": [
          "tools"
        ],
        "properties": {
          "tools": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ToolSpec"
            }
          }
        }
      },
      "RunToolSuccess": {
        "description": "A tool ran.",
        "type": "object",
        "required": [
          "ok",
          "output"
        ],
        "properties": {
          "ok": {
            "type": "boolean",
            "const": true
          },
          "output": {
            "$ref": "#/components/schemas/ToolOutput"
          }
        }
      },
      "RunToolError": {
        "description": "A tool failed in a way that the agent can act on.",
        "type": "object",
        "required": [
          "ok",
          "error"
        ],
        "properties": {
          "ok": {
            "type": "boolean",
            "const": false
          },
          "error": {
            "type": "string"
          }
        }
      },
      "RunToolOutput": {
        "description": "The result of a call; `ok` tells which.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/RunToolSuccess"
          },
          {
            "$ref": "#/components/schemas/RunToolError"
          }
        ]
      },
      "Task": {
        "allOf": [
          {
            "$ref": "#/components/schemas/JSONObject"
          }
        ],
        "description": "A task; each environment defines its own fields."
      },
      "Split": {
        "description": "A named list of tasks.",
        "type": "object",
        "required": [
          "name",
          "type"
        ],
        "properties": {
          "name": {
            "type": "string"
          },
          "type": {
            "type": "string",
            "enum": [
              "train",
              "validation",
              "test"
            ]
          }
        }
      },
      "SerializedToolSpec": {
        "description": "A tool as this server sends it, with no other key; one more breaks an existing client.",
        "type": "object",
        "required": [
          "name",
          "description",
          "input_schema"
        ],
        "additionalProperties": false,
        "properties": {
          "name": {
            "type": "string"
          },
          "description": {
            "type": "string"
          },
          "input_schema": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "SerializedListToolsOutput": {
        "description": "A list of tools as this server sends it.",
        "type": "object",
        "required": [
          "tools"
        ],
        "properties": {
          "tools": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/SerializedToolSpec"
            }
          }
        }
      },
      "ListTasks": {
        "type": "object",
        "required": [
          "split"
        ],
        "additionalProperties": false,
        "properties": {
          "split": {
            "type": "string"
          }
        }
      },
      "NumTasks": {
        "type": "object",
        "required": [
          "split"
        ],
        "additionalProperties": false,
        "properties": {
          "split": {
            "type": "string"
          }
        }
      },
      "GetTask": {
        "type": "object",
        "required": [
          "split",
          "index"
        ],
        "additionalProperties": false,
        "properties": {
          "split": {
            "type": "string"
          },
          "index": {
            "type": "integer",
            "minimum": 0,
            "description": "Zero-based."
          }
        }
      },
      "GetTaskRange": {
        "type": "object",
        "required": [
          "split"
        ],
        "additionalProperties": false,
        "properties": {
          "split": {
            "type": "string"
          },
          "start": {
            "type": [
              "integer",
              "null"
            ],
            "description": "First index; negative counts from the end. Default: 0."
          },
          "stop": {
            "type": [
              "integer",
              "null"
            ],
            "description": "Index after the last; negative counts from the end. Default: the number of tasks."
          }
        }
      },
      "CreateSession": {
        "description": "Names the environment, the task and the secrets of a new episode.",
        "type": "object",
        "properties": {
          "env_name": {
            "type": [
              "string",
              "null"
            ],
            "description": "Default: the first environment."
          },
          "task_spec": {
            "description": "The task itself; then neither split nor index may be given.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          },
          "split": {
            "type": [
              "string",
              "null"
            ],
            "description": "The split of the task; goes with index."
          },
          "index": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 0,
            "description": "The task's zero-based index in the split."
          },
          "secrets": {
            "description": "Secrets for the environment by name; never logged, stored or echoed.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/Secrets"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "Secrets": {
        "description": "Values by name.",
        "type": "object",
        "additionalProperties": {
          "type": "string"
        }
      },
      "IssueSession": {
        "description": "Nothing is required; unknown fields are ignored.",
        "type": "object",
        "properties": {
          "task_id": {
            "description": "An id that was issued before and is wanted again.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/SessionKey"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "SessionKey": {
        "description": "A session id: 1 to 128 visible ASCII characters.",
        "type": "string",
        "pattern": "^[\\x21-\\x7e]{1,128}$"
      },
      "CallKey": {
        "description": "A call id: 1 to 128 visible ASCII characters.",
        "type": "string",
        "pattern": "^[\\x21-\\x7e]{1,128}$"
      },
      "SessionId": {
        "type": "object",
        "required": [
          "sid"
        ],
        "properties": {
          "sid": {
            "type": "string"
          }
        },
        "example": {
          "sid": "abc-123-def-456"
        }
      },
      "Status": {
        "type": "object",
        "required": [
          "status"
        ],
        "properties": {
          "status": {
            "type": "string",
            "const": "ok"
          }
        }
      },
      "Version": {
        "type": "object",
        "required": [
          "name",
          "version"
        ],
        "properties": {
          "name": {
            "type": "string"
          },
          "version": {
            "type": "string"
          }
        }
      },
      "TaskList": {
        "type": "object",
        "description": "Tasks in the order of their split.",
        "required": [
          "tasks"
        ],
        "properties": {
          "tasks": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/Task"
            }
          },
          "env_name": {
            "type": "string"
          }
        }
      },
      "SerializedTaskList": {
        "description": "Tasks as this server sends them; an existing client needs env_name in every answer.",
        "type": "object",
        "required": [
          "tasks",
          "env_name"
        ],
        "properties": {
          "tasks": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/Task"
            }
          },
          "env_name": {
            "type": "string"
          }
        }
      },
      "TaskCount": {
        "type": "object",
        "required": [
          "num_tasks"
        ],
        "properties": {
          "num_tasks": {
            "type": "integer",
            "minimum": 0
          }
        }
      },
      "TaskItem": {
        "type": "object",
        "description": "One task.",
        "required": [
          "task"
        ],
        "properties": {
          "task": {
            "$ref": "#/components/schemas/Task"
          },
          "env_name": {
            "type": "string"
          }
        }
      },
      "SerializedTaskItem": {
        "description": "One task as this server sends it.",
        "type": "object",
        "required": [
          "task",
          "env_name"
        ],
        "properties": {
          "task": {
            "$ref": "#/components/schemas/Task"
          },
          "env_name": {
            "type": "string"
          }
        }
      },
      "ErrorResponse": {
        "description": "What was wrong, in one sentence.",
        "type": "object",
        "required": [
          "detail"
        ],
        "properties": {
          "detail": {
            "type": "string"
          }
        }
      },
      "UnavailableResponse": {
        "description": "Why there is no place for one more session; `active` and `max` where that is for their number.",
        "type": "object",
        "required": [
          "detail"
        ],
        "properties": {
          "detail": {
            "type": "string"
          },
          "active": {
            "type": "integer",
            "minimum": 0,
            "description": "Sessions that there are."
          },
          "max": {
            "type": "integer",
            "minimum": 1,
            "description": "The most that there may be."
          }
        }
      },
      "TaskIdEvent": {
        "description": "The call's id; always the first event.",
        "type": "object",
        "required": [
          "event",
          "data"
        ],
        "properties": {
          "event": {
            "type": "string",
            "const": "task_id"
          },
          "data": {
            "type": "string"
          }
        }
      },
      "ChunkEvent": {
        "description": "A part of the result; all parts and the data of `end`, joined, are its JSON.",
        "type": "object",
        "required": [
          "event",
          "data"
        ],
        "properties": {
          "event": {
            "type": "string",
            "const": "chunk"
          },
          "data": {
            "type": "string"
          }
        }
      },
      "EndEvent": {
        "description": "The result's JSON, or its last part. No event follows.",
        "type": "object",
        "required": [
          "event",
          "data"
        ],
        "properties": {
          "event": {
            "type": "string",
            "const": "end"
          },
          "data": {
            "type": "string"
          }
        }
      },
      "ErrorEvent": {
        "description": "The call failed outside of the tool's own results. No event follows.",
        "type": "object",
        "required": [
          "event",
          "data"
        ],
        "properties": {
          "event": {
            "type": "string",
            "const": "error"
          },
          "data": {
            "type": "string"
          }
        }
      },
      "CallEvent": {
        "description": "An event of a call's stream.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/TaskIdEvent"
          },
          {
            "$ref": "#/components/schemas/ChunkEvent"
          },
          {
            "$ref": "#/components/schemas/EndEvent"
          },
          {
            "$ref": "#/components/schemas/ErrorEvent"
          }
        ]
      },
      "SerializedTextBlock": {
        "description": "Text content as this server sends it.",
        "type": "object",
        "required": [
          "text",
          "detail",
          "type"
        ],
        "additionalProperties": false,
        "properties": {
          "text": {
            "type": "string"
          },
          "detail": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          },
          "type": {
            "type": "string",
            "const": "text"
          }
        }
      },
      "SerializedImageBlock": {
        "description": "An image as this server sends it.",
        "type": "object",
        "required": [
          "data",
          "mimeType",
          "detail",
          "type"
        ],
        "additionalProperties": false,
        "properties": {
          "data": {
            "type": "string",
            "contentEncoding": "base64"
          },
          "mimeType": {
            "type": "string",
            "pattern": "^image/"
          },
          "detail": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/JSONObject"
              },
              {
                "type": "null"
              }
            ]
          },
          "type": {
            "type": "string",
            "const": "image"
          }
        }
      },
      "SerializedBlock": {
        "description": "A piece of content as this server sends it.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/SerializedTextBlock"
          },
          {
            "$ref": "#/components/schemas/SerializedImageBlock"
          }
        ]
      },
      "SerializedBlocks": {
        "description": "Content in order, as this server sends it.",
        "type": "array",
        "items": {
          "$ref": "#/components/schemas/SerializedBlock"
        }
      },
      "SerializedToolOutput": {
        "description": "A tool's output as this server sends it.",
        "type": "object",
        "required": [
          "blocks",
          "metadata",
          "reward",
          "finished"
        ],
        "additionalProperties": false,
        "properties": {
          "blocks": {
            "allOf": [
              {
                "$ref": "#/components/schemas/SerializedBlocks"
              }
            ],
            "minItems": 1
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
          "reward": {
            "type": [
              "number",
              "null"
            ]
          },
          "finished": {
            "type": "boolean"
          }
        }
      },
      "SerializedRunToolSuccess": {
        "description": "A tool ran, as this server sends it.",
        "type": "object",
        "required": [
          "ok",
          "output"
        ],
        "additionalProperties": false,
        "properties": {
          "ok": {
            "type": "boolean",
            "const": true
          },
          "output": {
            "$ref": "#/components/schemas/SerializedToolOutput"
          }
        }
      },
      "SerializedRunToolOutput": {
        "description": "The result of a call as this server sends it.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/SerializedRunToolSuccess"
          },
          {
            "$ref": "#/components/schemas/RunToolError"
          }
        ]
      }
    }
  }
};
