// generated from conformance-results.schema.json by ors generate; never edit

/** The JSON Schema with all references to files resolved. */
export const document: { readonly [key: string]: unknown } = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:ors-kit:conformance-results:1",
  "title": "ConformanceResults",
  "description": "What came of one run of `ors conformance` or `ors conformance-client`. Times named _ms are milliseconds since the run began, durations milliseconds. A later version may add fields; schema_version changes when one goes or changes its meaning.",
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
      "description": "Changes with every change of the requirements."
    },
    "subject": {
      "enum": [
        "server",
        "client"
      ],
      "description": "What was held against the requirements."
    },
    "client": {
      "type": [
        "string",
        "null"
      ],
      "description": "What the client says of itself; null if it says nothing, or if the subject is a server."
    },
    "url": {
      "type": "string",
      "pattern": "^https?://[^/@]+(/.*)?$",
      "description": "Base URL of the server, without name and password; of a client's servers, without their ports."
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
      "description": "All that the server lists."
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
      "description": "The run was ended early by whoever started it."
    },
    "profiles": {
      "type": "array",
      "items": {
        "$ref": "#/$defs/Profile"
      }
    },
    "seed": {
      "type": "integer",
      "description": "Of everything random."
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
      "description": "In the order in which reports show them."
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
      "description": "pass: the requirement is met. fail: a MUST is not met. warn: a SHOULD is not met. n/a: there is nothing to hold the server to, or it lacks what is a MAY, or it reads the documents another way. not-testable: something that the check needs could not be had; never a pass. harness-error: the suite is wrong.",
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
      "description": "The most that the run could do.",
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
          "description": "After this no further check begins; null is no limit."
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
      "description": "What the run did.",
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
          "description": "All of it in one line."
        },
        "checks": {
          "type": "integer",
          "minimum": 0
        },
        "states": {
          "title": "StateCounts",
          "description": "How many checks ended in each state.",
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
              "description": "Those that passed or failed."
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
          "description": "What could not be tested, by reason."
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
          "description": "Why it is not conforms, one sentence each."
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
                "description": "It passes now, or there is no such check."
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
      "description": "What came of one check.",
      "type": "object",
      "properties": {
        "check": {
          "$ref": "#/$defs/CheckId"
        },
        "title": {
          "type": "string",
          "description": "What the check does and expects."
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
          "description": "The documents can be read both ways, so that it never fails."
        },
        "sentence": {
          "type": "string",
          "description": "The requirement in words."
        },
        "document": {
          "type": "string",
          "description": "The document of the standard that it comes from."
        },
        "heading": {
          "type": "string"
        },
        "state": {
          "$ref": "#/$defs/State"
        },
        "violated": {
          "type": "boolean",
          "description": "The requirement is not met, whatever its level makes of that."
        },
        "expected_failure": {
          "type": [
            "string",
            "null"
          ],
          "description": "Why the check was expected to fail or to warn, as it did; null where it was not."
        },
        "message": {
          "type": [
            "string",
            "null"
          ],
          "description": "What the server did, or what could not be had; null on a plain pass."
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "What was seen where the documents leave it open."
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
          "description": "Of a check that passed only the last exchanges are kept; so many went before them."
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
      "description": "One request and what came of it. Secrets and the values of the user's headers are left out.",
      "type": "object",
      "properties": {
        "number": {
          "type": "integer",
          "minimum": 1,
          "description": "Counts up through the run."
        },
        "method": {
          "type": "string",
          "description": "RAW for bytes that are written as they are."
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
          "description": "Null if no answer came."
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
          "description": "When which part of what is kept of response_body arrived, in order."
        },
        "head_at_ms": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0,
          "description": "When the answer's head arrived."
        },
        "ended_at_ms": {
          "type": [
            "number",
            "null"
          ],
          "minimum": 0,
          "description": "When the answer ended, or broke off."
        },
        "failure": {
          "type": [
            "string",
            "null"
          ],
          "description": "Why there is no answer, or no end of one."
        },
        "curl": {
          "type": [
            "string",
            "null"
          ],
          "description": "A line for bash or zsh that sends the same; null where there is none."
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
      "description": "Header lines in their order, spelled as they were sent.",
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
          "description": "How content is written: base64 where the body is not UTF-8."
        },
        "content": {
          "type": "string",
          "description": "The beginning, or all of it."
        },
        "length": {
          "type": "integer",
          "minimum": 0,
          "description": "Of the whole body, in bytes."
        },
        "is_cut": {
          "type": "boolean",
          "description": "There was more than what content has."
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
