"""Secrets, which both packages send in the header X-Secrets, reach the episode and no other."""

from hashlib import sha256

from player import expect_equal, main, text_of

SECRETS = {
    "plain": "s3cret",
    "empty": "",
    "wide": " \u6f22\u5b57 \U0001f600\n",
    "long": "0123456789abcdef" * 1_000,
}


async def secrets(client):
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)
    async with wire.session(task, secrets=client.secrets(SECRETS)) as session:
        for name, value in SECRETS.items():
            expect_equal(await told(session, name), sha256(value.encode()).hexdigest(), f"the secret {name}")
        expect_equal(await told(session, "other"), "none", "a secret that was not sent")
    async with wire.session(task) as session:
        expect_equal(await told(session, "plain"), "none", "a secret in an episode without")


async def told(session, name):
    return text_of((await session.call_tool("secret", {"name": name})).blocks)


if __name__ == "__main__":
    main(secrets)
