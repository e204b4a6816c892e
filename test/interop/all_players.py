"""All subjects in one process, since loading a package takes longer than playing."""

from countdown_player import countdown
from discovery_player import discovery
from episodes_player import episodes
from errors_player import errors
from fidelity_player import fidelity
from javascript_player import javascript
from maze_player import maze
from pictures_player import pictures
from player import main
from routes_player import routes
from secrets_player import secrets
from slow_setup_player import slow_setup
from tool_formats_player import tool_formats

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
    )
