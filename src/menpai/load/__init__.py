"""The load room: real-looking pairs, a lean client, closed and open loops, and what they measured."""
