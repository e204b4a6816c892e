"""Has limits that only its validators know: the schema of the input says string and integer."""

import re

from openreward.environments import Environment, Split, TextBlock, ToolOutput, tool
from pydantic import BaseModel, Field, field_validator

from environments.tasks import tasks_of


class Booking(BaseModel):
    account: str = Field(description="The account to book on")
    amount: int

    @field_validator("account")
    @classmethod
    def account_is_known(cls, value):
        if not re.fullmatch(r"[A-Z]{2}-\d{3}", value):
            raise ValueError("an account is two capital letters, a hyphen and three digits, such as KQ-104")
        return value

    @field_validator("amount")
    @classmethod
    def amount_has_steps(cls, value):
        if value % 5 or not 5 <= value <= 500:
            raise ValueError("amount must be a multiple of 5 from 5 to 500")
        return value


class PettyCash(Environment):
    @classmethod
    def list_splits(cls):
        return [Split(name="test", type="test")]

    @classmethod
    async def list_tasks(cls, split):
        return tasks_of("pettycash")

    def setup(self):
        self.booked = {}

    def get_prompt(self):
        receipts = ", ".join(f"{amount} on {account}" for account, amount in self.task_spec["receipts"].items())
        return [TextBlock(text=f"Book these receipts: {receipts}. Then close the day.")]

    @tool
    async def book(self, params: Booking) -> ToolOutput:
        """Book an amount on an account."""
        self.booked[params.account] = self.booked.get(params.account, 0) + params.amount
        return ToolOutput(blocks=[TextBlock(text=f"Booked {params.amount}.")], reward=0.0)

    @tool
    async def close(self) -> ToolOutput:
        """Close the day. The reward is the share of accounts that are right."""
        receipts = self.task_spec["receipts"]
        accounts = receipts.keys() | self.booked.keys()
        right = sum(receipts.get(account) == self.booked.get(account) for account in accounts)
        return ToolOutput(
            blocks=[TextBlock(text=f"{right} of {len(accounts)} accounts are right.")],
            reward=right / len(accounts),
            metadata={"booked": self.booked},
            finished=True,
        )
