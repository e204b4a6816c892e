"""Solves countdown by trying every way to combine the numbers."""

from fractions import Fraction

from player import expect_equal, expect_raises, main, text_of


async def countdown(client):
    environment = client.environment("countdown")
    for index in (0, 1, 199):
        async with environment.session(split="test", index=index) as session:
            task = await environment.get_task("test", index)
            await one_game(session, task.task_spec, client.adapter.ToolCallError)

    # As trainers do that list tasks first: they send back the task as it was listed.
    async with environment.session(await environment.get_task("train", 17)) as session:
        output = await session.call_tool("submit", {"expression": "1"})
        expect_equal((output.reward, output.finished), (0.0, True), "a wrong submission")


async def one_game(session, task, ToolCallError):
    solution = solve(task["numbers"], task["target"])

    output = await session.call_tool("evaluate", {"expression": solution})
    expect_equal((output.reward, output.finished), (0.0, False), "a try")
    expect_equal(str(task["target"]) in text_of(output.blocks), True, f"'{solution}' has the value of the target")
    await expect_raises(ToolCallError, session.call_tool("evaluate", {"expression": "import os"}), "evaluate")
    await expect_raises(ToolCallError, session.call_tool("evaluate", {"expression": "12345"}), "12345")

    output = await session.call_tool("submit", {"expression": solution})
    expect_equal((output.reward, output.finished), (1.0, True), f"reward for {solution} with {task}")
    await expect_raises(ToolCallError, session.call_tool("submit", {"expression": solution}), "finished")


def solve(numbers, target):
    return search([(Fraction(number), str(number)) for number in numbers], target)


def search(terms, target):
    for value, expression in terms:
        if value == target:
            return expression
    for i, (a, left) in enumerate(terms):
        for j, (b, right) in enumerate(terms):
            if i == j:
                continue
            others = [term for k, term in enumerate(terms) if k not in (i, j)]
            ways = [(a - b, f"({left} - {right})")]
            if i < j:
                ways += [(a + b, f"({left} + {right})"), (a * b, f"({left} * {right})")]
            if b != 0:
                ways.append((a / b, f"({left} / {right})"))
            for way in ways:
                found = search([way, *others], target)
                if found:
                    return found
    return None


if __name__ == "__main__":
    main(countdown)
