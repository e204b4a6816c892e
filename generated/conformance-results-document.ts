// generated from conformance-results.schema.json by ors generate; never edit

/** The JSON Schema with all references to files resolved. */
export const document: { readonly [key: string]: unknown } = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:ors-kit:conformance-results:1",
  "title": "ConformanceResults",
  "description": "Results of one run of `ors conformance` or `ors conformance-client`. Times named _ms are milliseconds since the start of the run; durations are milliseconds. Later versions may add fields; schema_version changes if a field is removed or changes its meaning.",
  "type": "object",
  "properties": {
    "schema_version": {
      "const": 1
    },
    "suite": {
      "type": "string",
      "minLength": 1,
      "description": "Name and version of the suite."
    },
    "requirements_revision": {
      "type": "string",
      "minLength": 1,
      "description": "Changes with every change to the requirements."
    },
    "subject": {
      "enum": [
        "server",
        "client"
      ],
      "description": "Kind of implementation that was tested."
    },
    "client": {
      "type": [
        "string",
        "null"
      ],
      "description": "Name and version that the client reports; null if it reports none, or if the subject is a server."
    },
    "url": {
      "type": "string",
      "pattern": "^https?://[^/@]+(/.*)?$",
      "description": "Base URL of the server, without user name and password; for a client, that of its servers, without ports."
    },
    "environment": {
      "type": "string",
      "description": "The environment under test."
    },
    "environments": {
      "type": "array",
      "items": {
        "type": "string"
      },
      "description": "All environments that the server lists."
    },
    "started_at": {
      "type": "string",
      "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$",
      "description": "ISO 8601, in UTC."
    },
    "duration_ms": {
      "type": "integer",
      "minimum": 0
    },
    "interrupted": {
      "type": "boolean",
      "description": "True if the user interrupted the run."
    },
    "profiles": {
      "type": "array",
      "items": {
        "$ref": "#/$defs/Profile"
      }
    },
    "seed": {
      "type": "integer",
      "description": "Seed of all random values."
    },
    "budget": {
      "$ref": "#/$defs/Budget"
    },
    "used": {
      "$ref": "#/$defs/Use"
    },
    "summary": {
      "$ref": "#/$defs/Summary"
    },
    "verdict": {
      "$ref": "#/$defs/Verdict"
    },
    "results": {
      "type": "array",
      "items": {
        "$ref": "#/$defs/CheckResult"
      },
      "description": "Results in the order of reports."
    }
  },
  "required": [
    "schema_version",
    "suite",
    "requirements_revision",
    "subject",
    "client",
    "url",
    "environment",
    "environments",
    "started_at",
    "duration_ms",
    "interrupted",
    "profiles",
    "seed",
    "budget",
    "used",
    "summary",
    "verdict",
    "results"
  ],
  "$defs": {
    "Profile": {
      "title": "Profile",
      "description": "A set of checks.",
      "enum": [
        "discovery",
        "core",
        "full",
        "soak",
        "hostile"
      ]
    },
    "Level": {
      "title": "Level",
      "description": "How binding a requirement is.",
      "enum": [
        "must",
        "should",
        "may"
      ]
    },
    "State": {
      "title": "State",
      "description": "pass: the requirement is met. fail: a MUST is not met, or the implementation has an extension and does it otherwise. warn: a SHOULD is not met. n/a: the requirement does not apply, or is a MAY that is not implemented, or the documents allow another reading that the server follows. not-testable: a prerequisite of the check is missing; never a pass. harness-error: a bug in the suite.",
      "enum": [
        "pass",
        "fail",
        "warn",
        "n/a",
        "not-testable",
        "harness-error"
      ]
    },
    "Budget": {
      "title": "Budget",
      "description": "Limits of the run.",
      "type": "object",
      "properties": {
        "sessions": {
          "type": "integer",
          "minimum": 0
        },
        "calls": {
          "type": "integer",
          "minimum": 0
        },
        "seconds": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0,
          "description": "No check starts after this time; null for no limit."
        }
      },
      "required": [
        "sessions",
        "calls",
        "seconds"
      ]
    },
    "Use": {
      "title": "Use",
      "description": "Sessions and calls that the run used.",
      "type": "object",
      "properties": {
        "sessions": {
          "type": "integer",
          "minimum": 0
        },
        "calls": {
          "type": "integer",
          "minimum": 0
        }
      },
      "required": [
        "sessions",
        "calls"
      ]
    },
    "Summary": {
      "title": "Summary",
      "type": "object",
      "properties": {
        "headline": {
          "type": "string",
          "minLength": 1,
          "description": "Summary in one line."
        },
        "checks": {
          "type": "integer",
          "minimum": 0
        },
        "states": {
          "title": "StateCounts",
          "description": "Number of checks by state.",
          "type": "object",
          "properties": {
            "pass": {
              "type": "integer",
              "minimum": 0
            },
            "fail": {
              "type": "integer",
              "minimum": 0
            },
            "warn": {
              "type": "integer",
              "minimum": 0
            },
            "not_applicable": {
              "type": "integer",
              "minimum": 0
            },
            "not_testable": {
              "type": "integer",
              "minimum": 0
            },
            "harness_error": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "pass",
            "fail",
            "warn",
            "not_applicable",
            "not_testable",
            "harness_error"
          ]
        },
        "required": {
          "title": "RequiredCounts",
          "description": "Checks of requirements with the level must.",
          "type": "object",
          "properties": {
            "passed": {
              "type": "integer",
              "minimum": 0
            },
            "ran": {
              "type": "integer",
              "minimum": 0,
              "description": "Number of checks that passed or failed."
            },
            "not_testable": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "passed",
            "ran",
            "not_testable"
          ]
        },
        "not_testable": {
          "type": "array",
          "items": {
            "title": "Untested",
            "type": "object",
            "properties": {
              "reason": {
                "type": "string"
              },
              "checks": {
                "type": "array",
                "items": {
                  "$ref": "#/$defs/CheckId"
                }
              }
            },
            "required": [
              "reason",
              "checks"
            ]
          },
          "description": "Checks that could not be made, by reason."
        }
      },
      "required": [
        "headline",
        "checks",
        "states",
        "required",
        "not_testable"
      ]
    },
    "Verdict": {
      "title": "Verdict",
      "type": "object",
      "properties": {
        "outcome": {
          "enum": [
            "conforms",
            "violations",
            "harness-error",
            "incomplete",
            "interrupted"
          ],
          "description": "conforms: all required checks that ran passed, or failed as expected."
        },
        "exit_code": {
          "type": "integer",
          "minimum": 0
        },
        "reasons": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Reasons for an outcome other than conforms, one sentence each."
        },
        "expected_failures": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/CheckId"
          },
          "description": "Checks that failed or warned, as expected."
        },
        "stale_expectations": {
          "type": "array",
          "items": {
            "title": "StaleExpectation",
            "type": "object",
            "properties": {
              "check": {
                "type": "string"
              },
              "problem": {
                "type": "string",
                "description": "The check passes now, or does not exist."
              }
            },
            "required": [
              "check",
              "problem"
            ]
          }
        }
      },
      "required": [
        "outcome",
        "exit_code",
        "reasons",
        "expected_failures",
        "stale_expectations"
      ]
    },
    "CheckId": {
      "title": "CheckId",
      "description": "Group and name.",
      "type": "string",
      "pattern": "^[^/]+/.+$"
    },
    "CheckResult": {
      "title": "CheckResult",
      "description": "Result of one check.",
      "type": "object",
      "properties": {
        "check": {
          "$ref": "#/$defs/CheckId"
        },
        "title": {
          "type": "string",
          "description": "The expected behaviour."
        },
        "requirement": {
          "type": "string",
          "description": "Id of the requirement."
        },
        "level": {
          "$ref": "#/$defs/Level"
        },
        "contested": {
          "type": "boolean",
          "description": "The documents allow two readings, so the check never fails."
        },
        "sentence": {
          "type": "string",
          "description": "Text of the requirement."
        },
        "document": {
          "type": "string",
          "description": "Document of the standard that the requirement comes from."
        },
        "heading": {
          "type": "string"
        },
        "state": {
          "$ref": "#/$defs/State"
        },
        "violated": {
          "type": "boolean",
          "description": "True if the requirement is not met, whatever its level."
        },
        "expected_failure": {
          "type": [
            "string",
            "null"
          ],
          "description": "Reason why the check was expected to fail or to warn, and did; null for all others."
        },
        "of_sdk": {
          "type": "string",
          "description": "Name of the SDK that causes the failure, in every environment; only with `--sdk`."
        },
        "message": {
          "type": [
            "string",
            "null"
          ],
          "description": "Behaviour of the server, or the missing prerequisite; null for a plain pass."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "Observations about behaviour that the documents leave open."
        },
        "duration_ms": {
          "type": "integer",
          "minimum": 0
        },
        "exchanges": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/EvidenceExchange"
          }
        },
        "exchanges_left_out": {
          "type": "integer",
          "minimum": 0,
          "description": "Number of omitted exchanges: for a check that passed, only the last ones are kept."
        }
      },
      "required": [
        "check",
        "title",
        "requirement",
        "level",
        "contested",
        "sentence",
        "document",
        "heading",
        "state",
        "violated",
        "expected_failure",
        "message",
        "notes",
        "duration_ms",
        "exchanges",
        "exchanges_left_out"
      ]
    },
    "EvidenceExchange": {
      "title": "EvidenceExchange",
      "description": "One request and its response, without secrets and without the values of headers that the user added.",
      "type": "object",
      "properties": {
        "number": {
          "type": "integer",
          "minimum": 1,
          "description": "Ascending number within the run."
        },
        "method": {
          "type": "string",
          "description": "RAW for bytes that are sent as they are."
        },
        "url": {
          "type": "string"
        },
        "request_headers": {
          "$ref": "#/$defs/EvidenceHeaders"
        },
        "request_body": {
          "anyOf": [
            {
              "$ref": "#/$defs/EvidenceBody"
            },
            {
              "type": "null"
            }
          ]
        },
        "sent_at_ms": {
          "type": "number",
          "minimum": 0
        },
        "status": {
          "type": [
            "integer",
            "null"
          ],
          "description": "Null if there was no response."
        },
        "response_headers": {
          "$ref": "#/$defs/EvidenceHeaders"
        },
        "response_body": {
          "$ref": "#/$defs/EvidenceBody"
        },
        "pieces": {
          "type": "array",
          "items": {
            "title": "EvidencePiece",
            "type": "object",
            "properties": {
              "at_ms": {
                "type": "number",
                "minimum": 0
              },
              "bytes": {
                "type": "integer",
                "minimum": 0
              }
            },
            "required": [
              "at_ms",
              "bytes"
            ]
          },
          "description": "Arrival times of the parts of response_body, in order."
        },
        "head_at_ms": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0,
          "description": "Arrival time of the head of the response."
        },
        "ended_at_ms": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0,
          "description": "Time at which the response ended or broke off."
        },
        "failure": {
          "type": [
            "string",
            "null"
          ],
          "description": "Reason why there is no response, or no complete one."
        },
        "curl": {
          "type": [
            "string",
            "null"
          ],
          "description": "Command for bash or zsh that sends the same request; null if there is none."
        }
      },
      "required": [
        "number",
        "method",
        "url",
        "request_headers",
        "request_body",
        "sent_at_ms",
        "status",
        "response_headers",
        "response_body",
        "pieces",
        "head_at_ms",
        "ended_at_ms",
        "failure",
        "curl"
      ]
    },
    "EvidenceHeaders": {
      "title": "EvidenceHeaders",
      "description": "Header lines in order, spelled as they were sent.",
      "type": "array",
      "items": {
        "title": "EvidenceHeader",
        "type": "object",
        "properties": {
          "name": {
            "type": "string"
          },
          "value": {
            "type": "string"
          }
        },
        "required": [
          "name",
          "value"
        ]
      }
    },
    "EvidenceBody": {
      "title": "EvidenceBody",
      "type": "object",
      "properties": {
        "encoding": {
          "enum": [
            "utf-8",
            "base64"
          ],
          "description": "Encoding of content: base64 if the body is not UTF-8."
        },
        "content": {
          "type": "string",
          "description": "The body, or its beginning."
        },
        "length": {
          "type": "integer",
          "minimum": 0,
          "description": "Length of the whole body in bytes."
        },
        "is_cut": {
          "type": "boolean",
          "description": "True if content has only the beginning of the body."
        }
      },
      "required": [
        "encoding",
        "content",
        "length",
        "is_cut"
      ]
    }
  }
};
