// generated from ors.openapi.yaml by ors generate; never edit

/** The OpenAPI document with all references to files resolved. */
export const document: { readonly [key: string]: unknown } = {
  "openapi": "3.1.0",
  "info": {
    "title": "Open Reward Standard",
    "version": "0.1.0",
    "summary": "Language-model agents meet reinforcement-learning environments over HTTP and Server-Sent Events.",
    "description": "An environment is a set of tasks and tools. An episode is one session with one task: create a session id, create the episode, read the prompt, call tools until `finished` is true, delete the episode. Schemas named after the standard's data types describe what authors and other servers may send; those named `Serialized...` describe what this server sends, with every nullable field present.",
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
      "description": "The environments, splits, tasks and tools of this server. Requires no session."
    },
    {
      "name": "sessions",
      "description": "The life cycle of an episode, from its session id to its teardown. A server with a journal responds 503 to requests of a session that another server has to continue. For a proxy that sends `X-Handed-Over: 425`, the status is 425 instead, and `X-Handed-Over` of the response has the tag of the server: nothing has been started, so the proxy may send the request to another one. `X-Handed-Over: continue` says that it cannot: a server that is shutting down then handles the request."
    },
    {
      "name": "interaction",
      "description": "Requests of an agent in a running episode."
    },
    {
      "name": "service",
      "description": "Health, version, metrics and specification of the server."
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
        "summary": "Report that the server is running",
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
        "summary": "Report whether the server accepts new episodes",
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
        "summary": "Get the implementation and its version",
        "responses": {
          "200": {
            "description": "Name, version and features.",
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
        "summary": "Get this document",
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
        "description": "Creates no session. Responds with Server-Sent Events (`task_id` with the id, then `end` with `{\"sid\": ...}`) if `Accept` prefers `text/event-stream` to JSON, by quality and order, otherwise with JSON.",
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
        "description": "Responds at once; setup runs in the background, and later requests wait for it. Either `task_spec`, or `split` and `index`, selects the task. Unknown fields are ignored and listed in `X-Ignored-Fields`.",
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
          },
          {
            "$ref": "#/components/parameters/TraceTags"
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
                "description": "Id of the trace of the episode, if this server records it.",
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
    "/fork": {
      "post": {
        "operationId": "forkEpisode",
        "tags": [
          "sessions"
        ],
        "summary": "Create a session that continues from a call of another one",
        "description": "The new session has the task and the state of the session in `X-Session-ID`: with `at`, as they were when that call had its result, else after the calls that are running now, which the request waits for. Its next calls get the random numbers that those of the other session get there. It is independent, can be forked itself, and knows the results of earlier calls by their `task_id`. The other session does not change, and may be finished. Responds when the state is there. 404 for an existing session means that the server, or the environment, cannot fork sessions; `supports_fork` of `/tools`, and of `/version` for some environment, announces that they can. Not in the documents.",
        "parameters": [
          {
            "$ref": "#/components/parameters/SessionId"
          },
          {
            "$ref": "#/components/parameters/Secrets"
          }
        ],
        "requestBody": {
          "required": false,
          "content": {
            "application/json": {
              "schema": {
                "$ref": "#/components/schemas/ForkSession"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The new session.",
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
        "summary": "Tear down an episode",
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
        "description": "Bounds follow Python's slice rules and are clamped, so no integer is out of range.",
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
        "description": "The shared tools and those of the episode's task. The session determines the environment, not the path.",
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
          "503": {
            "$ref": "#/components/responses/Starting"
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
        "description": "The session determines the environment, not the path. Waits for setup: up to 25 seconds if the client sends `Prefer: wait=25` (or another number of seconds), then responds 503 with `X-Backend-State: starting`.",
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
          "503": {
            "$ref": "#/components/responses/Starting"
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
    "/{env_name}/messages": {
      "get": {
        "operationId": "getMessages",
        "tags": [
          "interaction"
        ],
        "summary": "Get the prompt of the episode as a conversation",
        "description": "An environment whose author returns only a prompt responds with one message of the user. `/prompt` of an environment whose author returns only messages has them in one list of blocks. The session determines the environment, not the path. Not in the documents; from openreward 0.1.157.",
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
            "description": "The messages, oldest first.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/SerializedMessages"
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
          "503": {
            "$ref": "#/components/responses/Starting"
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
    "/{env_name}/score_group": {
      "post": {
        "operationId": "scoreGroup",
        "tags": [
          "interaction"
        ],
        "summary": "Compare several rollouts of the task of a session",
        "description": "Responds like `/call`, with a `ScoreGroupOutput`. Does not advance the episode, and also works after its end. Comparative rewards are added to the rewards of the episodes and do not replace them. A path that does not exist (404) means that the environment cannot compare rollouts. Not in the documents; from openreward 0.1.157.",
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
                "$ref": "#/components/schemas/ScoreGroup"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The scoring's events.",
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
    },
    "/v1/environments/{owner}/{name}/required-secrets": {
      "get": {
        "operationId": "listRequiredSecrets",
        "tags": [
          "discovery"
        ],
        "summary": "List the secrets that an environment needs",
        "description": "For programs that ask a platform before they create an episode. Every owner is accepted, also an empty one; a name that is not served means the default environment. Not in the documents; from openreward 0.1.112.",
        "parameters": [
          {
            "name": "owner",
            "in": "path",
            "required": true,
            "description": "Has no effect.",
            "schema": {
              "type": "string"
            }
          },
          {
            "name": "name",
            "in": "path",
            "required": true,
            "description": "Name of an environment; case-insensitive.",
            "schema": {
              "type": "string",
              "minLength": 1
            }
          }
        ],
        "responses": {
          "200": {
            "description": "Names of the secrets.",
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
    "/{env_name}/call": {
      "post": {
        "operationId": "callTool",
        "tags": [
          "interaction"
        ],
        "summary": "Call a tool",
        "description": "The response is always an event stream, regardless of `Accept`: `task_id` immediately, then `chunk` events for a result of more than 4096 bytes, then `end`, or `error` instead. A request with the `task_id` of an earlier call gets the result of that call and runs nothing; results are kept for 60 seconds. An id that the server issued in another session, or before a restart, gets `error`; an id that the client chose starts a call.",
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
        "description": "If a server has keys, requests without one of them get 401, except for `/health` and `/ready`. A session belongs to the key that created it; other keys get 404 for it."
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
        "description": "Name of an environment; case-insensitive.",
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
        "description": "Secrets as base64 of a JSON object from name to `{\"value\": string}`. A secret of the same name in the body takes precedence.",
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
        "description": "The run that the episode belongs to, if the server records its episodes.",
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
        "description": "The group of episodes of one task that the episode is compared with, if the server records its episodes.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256
        }
      },
      "TraceTags": {
        "name": "X-Trace-Tags",
        "in": "header",
        "required": false,
        "description": "Tags of the episode, comma-separated, if the server records its episodes. The viewer leaves episodes with `conformance` or `by-hand` out of the latest ones.",
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1024
        }
      }
    },
    "headers": {
      "SessionId": {
        "description": "The session's id, from which a proxy can learn which node has the session.",
        "schema": {
          "$ref": "#/components/schemas/SessionKey"
        }
      },
      "RetryAfter": {
        "description": "Seconds after which the client may retry.",
        "schema": {
          "type": "string",
          "pattern": "^[0-9]+$"
        }
      }
    },
    "requestBodies": {
      "None": {
        "description": "Accepts no fields.",
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
        "description": "Success.",
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
        "description": "The request is invalid; `detail` says how to correct it.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/ErrorResponse"
            }
          }
        }
      },
      "NotFound": {
        "description": "The environment, session or path does not exist.",
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
        "description": "The server accepts no new episodes now: it is shutting down or has no free session slot (503), or the API key has none left (429).",
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
      "Starting": {
        "description": "Setup has not ended within the time that the client is ready to wait; repeat the request. Sent only to clients that announce with `Prefer: wait=...` or by their `User-Agent` that they understand it. Also 503 if the server is shutting down, then without `X-Backend-State`.",
        "headers": {
          "Retry-After": {
            "$ref": "#/components/headers/RetryAfter"
          },
          "X-Backend-State": {
            "description": "`starting`: setup continues.",
            "schema": {
              "type": "string",
              "const": "starting"
            }
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/ErrorResponse"
            }
          }
        }
      },
      "Error": {
        "description": "Any other failure, such as 401 for a request without a valid API key.",
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
        }
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
            "description": "Information about this block; not shown to the model.",
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
            "description": "Information about this block; not shown to the model.",
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
        "description": "A tool as agents see it.",
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
        "description": "Output of a tool, as an author or another server may send it.",
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
            "description": "Id of an earlier call to resume, or an id that the client chooses for this call.",
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
          },
          "terminal_tool": {
            "description": "The tool that grades the final message of the agent, which is not in `tools`; null or absent if there is none.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/TerminalTool"
              },
              {
                "type": "null"
              }
            ]
          },
          "supports_score_group": {
            "description": "Whether `/score_group` compares rollouts of this environment; absent means false.",
            "type": [
              "boolean",
              "null"
            ]
          },
          "supports_fork": {
            "description": "Whether `/fork` forks sessions of this environment; absent means false.",
            "type": [
              "boolean",
              "null"
            ]
          },
          "message_block_types": {
            "description": "Types of blocks that messages of this server may have; absent means text and image.",
            "anyOf": [
              {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "TerminalTool": {
        "description": "The tool that receives the final message of an agent.",
        "type": "object",
        "required": [
          "name"
        ],
        "properties": {
          "name": {
            "type": "string"
          },
          "arg": {
            "description": "The parameter that receives the text; null or absent if the tool has no parameters.",
            "type": [
              "string",
              "null"
            ]
          },
          "description": {
            "type": "string"
          }
        },
        "example": {
          "name": "submit",
          "arg": "answer",
          "description": "Grades the answer."
        }
      },
      "RunToolSuccess": {
        "description": "The output of a tool.",
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
        "description": "A failure of a tool that the agent can handle.",
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
          },
          "reason": {
            "description": "Why the server refused the call: `not_found`, `name_collision`, `input_validation` or `episode_finished`; or `interrupted`, if the server ended during the call and did not repeat it. Null or absent if the tool itself failed. Other values may follow.",
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      "RunToolOutput": {
        "description": "The result of a call; `ok` distinguishes the two forms.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/RunToolSuccess"
          },
          {
            "$ref": "#/components/schemas/RunToolError"
          }
        ]
      },
      "ReasoningBlock": {
        "description": "Text of a model's reasoning.",
        "type": "object",
        "required": [
          "type",
          "text"
        ],
        "properties": {
          "type": {
            "type": "string",
            "const": "reasoning"
          },
          "text": {
            "type": "string"
          },
          "signature": {
            "type": [
              "string",
              "null"
            ],
            "description": "The provider's signature of the text."
          },
          "detail": {
            "description": "Information about this block; not shown to the model.",
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
      "ToolCallBlock": {
        "description": "A tool call of the assistant.",
        "type": "object",
        "required": [
          "type",
          "id",
          "name",
          "input"
        ],
        "properties": {
          "type": {
            "type": "string",
            "const": "tool_call"
          },
          "id": {
            "type": "string"
          },
          "name": {
            "type": "string"
          },
          "input": {
            "$ref": "#/components/schemas/JSONObject"
          },
          "detail": {
            "description": "Information about this block; not shown to the model.",
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
      "ToolResultBlock": {
        "description": "The result of a tool call.",
        "type": "object",
        "required": [
          "type",
          "tool_call_id",
          "blocks"
        ],
        "properties": {
          "type": {
            "type": "string",
            "const": "tool_result"
          },
          "tool_call_id": {
            "type": "string"
          },
          "blocks": {
            "$ref": "#/components/schemas/Blocks"
          },
          "is_error": {
            "type": [
              "boolean",
              "null"
            ],
            "description": "Default: false."
          },
          "detail": {
            "description": "Information about this block; not shown to the model.",
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
      "SystemMessage": {
        "description": "Instructions to the agent.",
        "type": "object",
        "required": [
          "role",
          "blocks"
        ],
        "properties": {
          "role": {
            "type": "string",
            "const": "system"
          },
          "blocks": {
            "$ref": "#/components/schemas/Blocks"
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
          }
        }
      },
      "UserMessage": {
        "description": "A message of the user, with the results of the assistant's tool calls.",
        "type": "object",
        "required": [
          "role",
          "blocks"
        ],
        "properties": {
          "role": {
            "type": "string",
            "const": "user"
          },
          "blocks": {
            "type": "array",
            "items": {
              "oneOf": [
                {
                  "$ref": "#/components/schemas/TextBlock"
                },
                {
                  "$ref": "#/components/schemas/ImageBlock"
                },
                {
                  "$ref": "#/components/schemas/ToolResultBlock"
                }
              ]
            }
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
          }
        }
      },
      "AssistantMessage": {
        "description": "A message of the agent, with its reasoning and tool calls.",
        "type": "object",
        "required": [
          "role",
          "blocks"
        ],
        "properties": {
          "role": {
            "type": "string",
            "const": "assistant"
          },
          "blocks": {
            "type": "array",
            "items": {
              "oneOf": [
                {
                  "$ref": "#/components/schemas/TextBlock"
                },
                {
                  "$ref": "#/components/schemas/ImageBlock"
                },
                {
                  "$ref": "#/components/schemas/ReasoningBlock"
                },
                {
                  "$ref": "#/components/schemas/ToolCallBlock"
                }
              ]
            }
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
          }
        }
      },
      "Message": {
        "description": "A message of a conversation.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/SystemMessage"
          },
          {
            "$ref": "#/components/schemas/UserMessage"
          },
          {
            "$ref": "#/components/schemas/AssistantMessage"
          }
        ]
      },
      "SerializedMessages": {
        "description": "A conversation as this server sends it, with every nullable field.",
        "type": "array",
        "items": {
          "$ref": "#/components/schemas/SerializedMessage"
        }
      },
      "SerializedMessage": {
        "description": "A message as this server sends it.",
        "type": "object",
        "required": [
          "role",
          "blocks",
          "detail"
        ],
        "additionalProperties": false,
        "properties": {
          "role": {
            "type": "string",
            "enum": [
              "system",
              "user",
              "assistant"
            ]
          },
          "blocks": {
            "type": "array",
            "items": {
              "oneOf": [
                {
                  "$ref": "#/components/schemas/SerializedTextBlock"
                },
                {
                  "$ref": "#/components/schemas/SerializedImageBlock"
                },
                {
                  "$ref": "#/components/schemas/SerializedReasoningBlock"
                },
                {
                  "$ref": "#/components/schemas/SerializedToolCallBlock"
                },
                {
                  "$ref": "#/components/schemas/SerializedToolResultBlock"
                }
              ]
            }
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
          }
        }
      },
      "SerializedReasoningBlock": {
        "type": "object",
        "required": [
          "text",
          "signature",
          "detail",
          "type"
        ],
        "additionalProperties": false,
        "properties": {
          "text": {
            "type": "string"
          },
          "signature": {
            "type": [
              "string",
              "null"
            ]
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
            "const": "reasoning"
          }
        }
      },
      "SerializedToolCallBlock": {
        "type": "object",
        "required": [
          "id",
          "name",
          "input",
          "detail",
          "type"
        ],
        "additionalProperties": false,
        "properties": {
          "id": {
            "type": "string"
          },
          "name": {
            "type": "string"
          },
          "input": {
            "$ref": "#/components/schemas/JSONObject"
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
            "const": "tool_call"
          }
        }
      },
      "SerializedToolResultBlock": {
        "type": "object",
        "required": [
          "tool_call_id",
          "blocks",
          "is_error",
          "detail",
          "type"
        ],
        "additionalProperties": false,
        "properties": {
          "tool_call_id": {
            "type": "string"
          },
          "blocks": {
            "$ref": "#/components/schemas/SerializedBlocks"
          },
          "is_error": {
            "type": "boolean"
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
            "const": "tool_result"
          }
        }
      },
      "ScoreGroup": {
        "description": "Rollouts of one task to compare.",
        "type": "object",
        "required": [
          "candidates"
        ],
        "additionalProperties": false,
        "properties": {
          "candidates": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ScoreGroupCandidate"
            }
          },
          "task_id": {
            "description": "Id of an earlier scoring to resume.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/CallKey"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      },
      "ScoreGroupCandidate": {
        "description": "One rollout.",
        "type": "object",
        "required": [
          "messages"
        ],
        "additionalProperties": false,
        "properties": {
          "messages": {
            "description": "Messages of the rollout. In requests, the `type` of a block may be missing.",
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/JSONObject"
            }
          },
          "metadata": {
            "description": "Information about the rollout for the environment.",
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
      "GroupScore": {
        "description": "The comparative reward of one rollout.",
        "type": "object",
        "required": [
          "reward"
        ],
        "properties": {
          "reward": {
            "type": "number"
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
        }
      },
      "ScoreGroupOutput": {
        "description": "Comparative rewards in the order of the candidates.",
        "type": "object",
        "required": [
          "scores"
        ],
        "properties": {
          "scores": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/GroupScore"
            }
          }
        }
      },
      "RequiredSecrets": {
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
        }
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
        "description": "A tool as this server sends it, without further fields, which would break an existing client.",
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
          },
          "terminal_tool": {
            "anyOf": [
              {
                "$ref": "#/components/schemas/TerminalTool"
              },
              {
                "type": "null"
              }
            ]
          },
          "supports_score_group": {
            "type": "boolean"
          },
          "supports_fork": {
            "type": "boolean"
          },
          "message_block_types": {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "text",
                "image",
                "reasoning",
                "tool_call",
                "tool_result"
              ]
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
        "description": "Environment, task and secrets of a new episode.",
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
            "description": "The task itself; excludes split and index.",
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
            "description": "The split of the task; requires index."
          },
          "index": {
            "type": [
              "integer",
              "null"
            ],
            "minimum": 0,
            "description": "The task's zero-based index in the split."
          },
          "toolset_name": {
            "description": "Toolset of the environment to add to the tools of the episode; null or absent for none.",
            "type": [
              "string",
              "null"
            ]
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
        "description": "All fields are optional; unknown fields are ignored.",
        "type": "object",
        "properties": {
          "task_id": {
            "description": "A session id that was issued before, to be issued again.",
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
      "ForkSession": {
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "at": {
            "description": "Id of a call of the session that has a result: the new session continues after it, without the calls that were running then. Null or absent: after all calls until now.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/CallKey"
              },
              {
                "type": "null"
              }
            ]
          },
          "task_id": {
            "description": "Idempotency key that the client chose: a repeated request with the same `task_id` returns the id of the session that the first one created, unless that has ended. With another `at` it is rejected. Null or absent: every request creates a session.",
            "anyOf": [
              {
                "$ref": "#/components/schemas/CallKey"
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
          },
          "supports_fork": {
            "description": "Whether `/fork` forks sessions of at least one environment, which `supports_fork` of `/tools` announces; absent means false.",
            "type": "boolean"
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
        "description": "Tasks as this server sends them; an existing client requires env_name in every response.",
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
        "description": "The problem, in one sentence.",
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
        "description": "Reason why no session can be created; with `active` and `max` if the number of sessions is the reason.",
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
            "description": "Current number of sessions."
          },
          "max": {
            "type": "integer",
            "minimum": 1,
            "description": "Maximum number of sessions."
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
        "description": "A part of the result; the data of all chunks and of `end`, joined, is its JSON.",
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
        "description": "The call failed without a result. No event follows.",
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
        "description": "The output of a tool as this server sends it.",
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
