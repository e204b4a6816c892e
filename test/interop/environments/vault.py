"""Has tools of its own for each task, beside the shared one."""

from openreward.environments import Environment, ListToolsOutput, TextBlock, ToolOutput, ToolSpec, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Code(BaseModel):
    code: str


class Vault(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("vault")

    def get_prompt(self):
        return [TextBlock(text="Open the vault.")]

    def list_task_tools(self):
        way = getattr(self, self.task_spec["way"])
        schema = None if self.task_spec["way"] == "drill" else Code.model_json_schema()
        tools = [ToolSpec(name=self.task_spec["way"], description=way.__doc__, input_schema=schema)]
        return ListToolsOutput(tools=tools)

    @tool
    async def look(self) -> ToolOutput:
        """Look at the vault."""
        return ToolOutput(blocks=[TextBlock(text=f"A note says: code {self.task_spec['code']}.")], reward=0.0)

    @tool(shared=False)
    async def drill(self) -> ToolOutput:
        """Drill it open, which is loud."""
        return ToolOutput(blocks=[TextBlock(text="It is open.")], reward=0.5, finished=True)

    @tool(shared=False)
    async def dial(self, params: Code) -> ToolOutput:
        """Dial a code."""
        if params.code != self.task_spec["code"]:
            return ToolOutput(blocks=[TextBlock(text="It stays closed.")], reward=-0.125)
        return ToolOutput(blocks=[TextBlock(text="It is open.")], reward=1.0, finished=True)
