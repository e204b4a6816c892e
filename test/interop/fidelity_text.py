"""Texts that a careless stream damages: `make_text` here and `makeText` in fidelity-text.ts give the same ones."""

# One code point each. Most are white space, so that most chunks would begin with one.
PIECES = [
    " ", " ", " ", "\t", "\n", "\r", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f",
    "\u3000", "\u001c", "\u001f", "\ufeff", "\u200b", "\u0000", "a", "Z", "0", '"', "\\", ":", "\u00e9", "e", "\u0301",
    "\u6f22", "\U0001f600", "\U0001d4b3",
]  # fmt: skip


def make_text(seed, length):
    """Returns a text of `length` code points, chosen by the high bits of a linear congruential generator."""
    state = seed
    pieces = []
    for _ in range(length):
        state = (state * 1664525 + 1013904223) % 2**32
        pieces.append(PIECES[state >> 27])
    return "".join(pieces)
