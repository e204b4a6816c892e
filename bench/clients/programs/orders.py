"""What both players in Python have in common: orders and answers as in orders.ts."""

import asyncio
import json
import sys
import time


def obey_orders(open_environment):
    """Plays by orders until there are no more. The environment is opened within the loop, as its client needs it."""
    asyncio.run(_obey_orders(open_environment))


async def _obey_orders(open_environment):
    loop = asyncio.get_running_loop()
    environment = open_environment()
    # The loop goes on while there is no order, so that it sees connections end.
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(await _carry_out(environment, **json.loads(line))), flush=True)


async def _carry_out(environment, workers, seconds, limit, call):
    durations, faults = [], []
    cpu_before = time.process_time_ns()
    start = time.perf_counter()

    async def work():
        since = start
        try:
            while True:
                await _play(environment, call)
                now = time.perf_counter()
                durations.append((now - since) * 1000)
                since = now
                if now - start >= seconds:
                    return
        except Exception as error:
            faults.append(repr(error))

    _, late = await asyncio.wait([asyncio.create_task(work()) for _ in range(workers)], timeout=limit)
    elapsed = time.perf_counter() - start
    cpu = (time.process_time_ns() - cpu_before) / 1000
    for task in late:
        task.cancel()
    return {"durations": durations, "seconds": elapsed, "cpu": cpu, "faults": faults}


async def _play(environment, call):
    async with environment.session(split="test", index=0) as session:
        prompt = await session.get_prompt()
        _check("prompt", prompt[0].text, "2+2")
        tools = await session.list_tools()
        _check("tools", tools[0].name, "submit")
        result = await session.call_tool(call["name"], call["input"])
        _check("text", result.blocks[0].text, "Correct!")
        _check("reward", result.reward, 1)
        _check("finished", result.finished, True)


def _check(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")
