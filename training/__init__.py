"""Training of the built-in pack: gather → make pairs → pre-train → fit → calibrate → judge → pack."""
