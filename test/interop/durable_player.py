"""Plays games on servers that are killed meanwhile, and expects what an undisturbed server returns."""

import json

from player import Unexpected, expect_equal, main, text_of

ROUNDS = 3
MAX_REPEATS = 20


async def replayed(client):
    await play_game(client, "replayed")


async def saved(client):
    await play_game(client, "saved")


async def play_game(client, name):
    environment = client.environment(name)
    async with environment.session(await environment.get_task("train", 7)) as session:
        expect_equal(text_of(await session.get_prompt()), "Play game 7.", "prompt")
        seed, values = following(7), {}
        for number in range(1, ROUNDS + 1):
            seed = following(seed)
            rolled = await call(session, client, "roll")
            expect_equal(text_of(rolled.blocks[:1]), f"roll {number} is {seed}", "roll")
            expect_equal(rolled.reward, seed % 16 / 16, "reward of a roll")

            values[number] = seed % 1000
            put = await call(session, client, "put", {"value": values[number]})
            expect_equal(text_of(put.blocks[:1]), f"values {json.dumps(values, separators=(',', ':'))}", "put")
        ended = await call(session, client, "submit")
        expect_equal((ended.reward, ended.finished), (float(ROUNDS), True), "end")


async def call(session, client, name, arguments={}):
    """Calls a tool, again if the server says that it was interrupted, as a user of the package would."""
    for _ in range(MAX_REPEATS):
        try:
            return await session.call_tool(name, arguments)
        except (client.adapter.ToolCallError, client.adapter.ToolCrash) as error:
            if "interrupted:" not in str(error):
                raise
    raise Unexpected(f"'{name}' was interrupted {MAX_REPEATS} times")


def following(seed):
    return (seed * 1664525 + 1013904223) % 2**32


if __name__ == "__main__":
    main(replayed, saved)
