"""Plays problems of gsm8k twice: with the right answer, and with a wrong one.

It lists all problems, and plays one of `every`. The answers come from a file of JSON lines `{"question": ..., "answer": "... #### 18"}`: the server hides them.
"""

import json
from statistics import fmean

from player import expect_equal, main


async def gsm8k(client, problems, episodes, every="1"):
    with open(problems, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    answers = {row["question"]: row["answer"].split("####")[1].strip() for row in rows}

    environment = client.environment("gsm8k")
    tasks = await environment.list_tasks("test")
    expect_equal([task.task_spec["question"] for task in tasks], [row["question"] for row in rows], "the questions")
    played = tasks[:: int(every)]

    async def play(task, answer):
        async with environment.session(task) as session:
            output = await session.call_tool("submit", {"answer": answer})
            expect_equal(output.finished, True, f"the end after {answer}")
            return output.reward

    async def gold(task):
        return await play(task, answers[task.task_spec["question"]])

    async def wrong(task):
        return await play(task, answers[task.task_spec["question"]] + "1")

    for player, mean in [(gold, 1.0), (wrong, 0.0)]:
        rewards = await client.each(played, player, at_once=int(episodes))
        expect_equal(fmean(rewards), mean, f"mean reward of the {player.__name__} player in {len(played)} episodes")


if __name__ == "__main__":
    main(gsm8k, problems="problems.jsonl", episodes="32", every="1")
