"""Results arrive byte for byte, whatever white space they contain."""

from fidelity_text import make_text
from player import expect, expect_equal, main, text_of

# All characters that `str.strip` of Python removes.
WHITE_SPACE = [chr(code) for code in range(0x10000) if chr(code).isspace()]


async def fidelity(client):
    wire = client.environment("wire")
    async with wire.session(await wire.get_task("test", 0)) as session:
        for seed, length in [(0, 0), (1, 1), (2, 4_096), (3, 4_097), (4, 20_000), (5, 160_000)]:
            output = await session.call_tool("text", {"seed": seed, "length": length})
            same(text_of(output.blocks), make_text(seed, length), f"text {seed} of {length} characters")
            expect_equal(output.metadata, {"seed": seed}, "metadata")

        # Longer than two events, so that one event contains nothing else, and has to begin with it.
        for space in [*WHITE_SPACE, "\U0001f600", "\ufeff"]:
            output = await session.call_tool("echo", {"message": space, "times": 9_000})
            same(text_of(output.blocks), space * 9_000, f"9000 times {ascii(space)}")

        message = make_text(6, 30_000)
        output = await session.call_tool("echo", {"message": message})
        same(text_of(output.blocks), message, "a text that went both ways")


def same(actual, expected, what):
    if actual == expected:
        return
    place = next((i for i, (a, b) in enumerate(zip(actual, expected)) if a != b), min(len(actual), len(expected)))
    around = slice(max(0, place - 10), place + 10)
    expect(
        False,
        f"{what} differs at {place}: expected {ascii(expected[around])} of {len(expected)} characters, "
        f"got {ascii(actual[around])} of {len(actual)}",
    )


if __name__ == "__main__":
    main(fidelity)
