"""What was judged before: in memory, in a file, in Redis. Nothing here decides; a hit is the fresh answer to the bit."""
