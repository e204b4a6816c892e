"""The generator of the examples: returns the same numbers for the same keys as `seededRandom`."""

MASK = 2**32 - 1


def seeded_random(*keys):
    """Returns a function that returns an integer from 0 to `below` - 1."""
    state = len(keys)
    for key in keys:
        state = _scramble(state ^ key)

    def random(below):
        nonlocal state
        state = state + 0x9E3779B9 & MASK
        return _scramble(state) * below >> 32

    return random


def _scramble(value):
    value = value + 0x9E3779B9 & MASK
    value = (value ^ value >> 16) * 0x85EBCA6B & MASK
    value = (value ^ value >> 13) * 0xC2B2AE35 & MASK
    return value ^ value >> 16
