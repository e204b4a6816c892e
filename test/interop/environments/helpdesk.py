"""Serves a conversation with every kind of block, which the assistant continues. It has no prompt of its own."""

from openreward.environments import (
    Environment,
    Message,
    ReasoningBlock,
    TextBlock,
    ToolCallBlock,
    ToolOutput,
    ToolResultBlock,
    terminal,
    tool,
)
from pydantic import BaseModel

from environments.tasks import tasks_of


class Reply(BaseModel):
    message: str


class Search(BaseModel):
    words: str


class Helpdesk(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("helpdesk")

    def get_messages(self):
        customer, ticket, times = (self.task_spec[name] for name in ("customer", "ticket", "times"))
        found = TextBlock(text=f"open ticket: {ticket}")
        messages = [Message(role="system", blocks=[TextBlock(text="You work at a help desk. Be brief.")])]
        for turn in range(times):
            call = ToolCallBlock(id=f"c{turn}", name="search", input={"words": customer})
            result = ToolResultBlock(tool_call_id=call.id, blocks=[found], is_error=turn > 0)
            messages += [
                Message(role="user", blocks=[TextBlock(text=f"I am {customer}. Where is my order?")]),
                Message(role="assistant", blocks=[ReasoningBlock(text="Search for the customer."), call]),
                Message(role="user", blocks=[result, TextBlock(text="Hurry, please.")]),
            ]
        return messages

    @tool(concurrent=True)
    async def search(self, params: Search) -> ToolOutput:
        """Search the tickets for words."""
        text = f"closed ticket: {self.task_spec['ticket'][::-1]}"
        return ToolOutput(blocks=[TextBlock(text=text)], reward=0.0)

    @terminal
    @tool
    async def reply(self, params: Reply) -> ToolOutput:
        """Send the reply to the customer."""
        names_ticket = self.task_spec["ticket"] in params.message
        # The policy writes how many turns of an assistant it saw: a conversation that was flattened has none.
        counts_turns = f"after {self.task_spec['times']} replies" in params.message
        reward = 0.75 * names_ticket + 0.25 * counts_turns
        return ToolOutput(blocks=[TextBlock(text="Sent.")], reward=reward, finished=True)
