"""The author API of the package that SERVED_BY names. Both packages have the same names, so an environment is written once."""

import importlib
import os

MODULES = {"ors-sdk": "ors", "openreward": "openreward.environments"}

_package = importlib.import_module(MODULES[os.environ["SERVED_BY"]])

Environment = _package.Environment
ImageBlock = _package.ImageBlock
ListToolsOutput = _package.ListToolsOutput
Server = _package.Server
Split = _package.Split
TextBlock = _package.TextBlock
ToolOutput = _package.ToolOutput
ToolSpec = _package.ToolSpec
tool = _package.tool
