"""All subjects in one process, since loading a package takes longer than playing."""

import os

from countdown_player import countdown
from discovery_player import discovery
from episodes_player import episodes
from errors_player import errors
from fidelity_player import fidelity
from gsm8k_player import gsm8k as play_gsm8k
from javascript_player import javascript
from maze_player import maze
from pictures_player import pictures
from player import main
from routes_player import routes
from secrets_player import secrets
from slow_setup_player import slow_setup
from tool_formats_player import tool_formats


async def gsm8k(client):
    await play_gsm8k(client, os.environ["GSM8K_PROBLEMS"], episodes="32")


if __name__ == "__main__":
    main(
        discovery,
        routes,
        tool_formats,
        episodes,
        fidelity,
        pictures,
        errors,
        secrets,
        slow_setup,
        countdown,
        maze,
        javascript,
        gsm8k,
    )
