"""Plays countdown alone."""

from countdown_player import countdown
from player import main

main(countdown)
