"""Blocks of text and images keep their type, order and bytes."""

import base64
import struct

from player import expect, expect_equal, main


async def pictures(client):
    wire = client.environment("wire")
    async with wire.session(await wire.get_task("test", 0)) as session:
        prompt = await session.get_prompt()
        output = await session.call_tool("picture")

    expect_equal([block.type for block in prompt], ["text", "image"], "blocks of the prompt")
    expect_equal([block.type for block in output.blocks], ["text", "image", "text"], "blocks of the output")
    expect_equal([output.blocks[0].text, output.blocks[2].text], ["before", "after"], "texts around the picture")
    for picture in (prompt[1], output.blocks[1]):
        expect_equal(size_of(picture), (1, 1), "size of the picture")


def size_of(block):
    """Returns the width and height of a PNG image in pixels."""
    expect_equal(block.mimeType, "image/png", "media type of a picture")
    data = base64.b64decode(block.data, validate=True)
    expect(data.startswith(b"\x89PNG\r\n\x1a\n"), f"a picture begins with {data[:8]}, which is no PNG")
    return struct.unpack(">II", data[16:24])


if __name__ == "__main__":
    main(pictures)
