"""Reads what a server tells without an episode: environments, splits, tasks and tools."""

import json
from urllib.request import urlopen

from player import expect, expect_equal, expect_raises, main

HIDDEN = {"solution", "answer", "tests"}


async def discovery(client):
    # The packages have no method for this request.
    with urlopen(f"{client.url}/list_environments", timeout=10) as response:
        names = json.load(response)
    expect("countdown" in names, f"countdown is not among the environments {names}")
    for name in names:
        await every_split(client.environment(name), name)
    await ranges(client.environment("countdown"))


async def every_split(environment, name):
    splits = await environment.list_splits()
    expect(splits, f"{name} has no splits")
    for split in splits:
        count = await environment.num_tasks(split)
        expect(count > 0, f"{name} has no tasks in split {split}")
        for task in await environment.get_task_range(split, 0, 3):
            told = HIDDEN & set(task.task_spec)
            expect(not told, f"{name}, {split}: a listed task tells {told}")


async def ranges(environment):
    expect_equal(await environment.list_splits(), ["train", "test", "hard"], "splits of countdown")
    expect_equal(await environment.num_tasks("hard"), 1_000_000, "tasks in split hard")

    tasks = await environment.list_tasks("test")
    expect_equal(len(tasks), await environment.num_tasks("test"), "listed tasks in split test")
    expect_equal(await environment.get_task("test", 7), tasks[7], "task 7")
    for start, stop in [(2, 5), (None, 3), (-3, None), (190, 500), (5, 2), (None, None)]:
        expect_equal(await environment.get_task_range("test", start, stop), tasks[start:stop], f"tasks {start}:{stop}")

    last = await environment.get_task("hard", 999_999)
    expect_equal(await environment.get_task_range("hard", -1), [last], "the last of a million tasks")
    await expect_raises(Exception, environment.get_task("test", len(tasks)), "400")


if __name__ == "__main__":
    main(discovery)
