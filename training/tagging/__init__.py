"""Training of the taggers: research packs on the NER sets, and the built-in pack's on rows open to it."""
