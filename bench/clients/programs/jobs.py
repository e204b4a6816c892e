"""Protocol of the client programs in Python: jobs and results as in jobs.ts."""

import asyncio
import json
import sys
import time


def run_jobs(open_environment):
    """Runs jobs until standard input ends. Opens the environment inside the event loop, as its client requires."""
    asyncio.run(_run_jobs(open_environment))


async def _run_jobs(open_environment):
    loop = asyncio.get_running_loop()
    environment = open_environment()
    # Reads in a thread, so that the loop notices closed connections while it waits for a job.
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(await _run_job(environment, **json.loads(line))), flush=True)


async def _run_job(environment, workers, seconds, timeout, call):
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

    _, late = await asyncio.wait([asyncio.create_task(work()) for _ in range(workers)], timeout=timeout)
    elapsed = time.perf_counter() - start
    cpu = (time.process_time_ns() - cpu_before) / 1000
    for task in late:
        task.cancel()
    return {"durations": durations, "seconds": elapsed, "cpu": cpu, "faults": faults}


async def _play(environment, call):
    async with environment.session(split="test", index=0) as session:
        prompt = await session.get_prompt()
        _assert_equal("prompt", prompt[0].text, "2+2")
        tools = await session.list_tools()
        _assert_equal("tools", tools[0].name, "submit")
        result = await session.call_tool(call["name"], call["input"])
        _assert_equal("text", result.blocks[0].text, "Correct!")
        _assert_equal("reward", result.reward, 1)
        _assert_equal("finished", result.finished, True)


def _assert_equal(what, actual, expected):
    if actual != expected:
        raise AssertionError(f"{what}: {actual!r} instead of {expected!r}")
