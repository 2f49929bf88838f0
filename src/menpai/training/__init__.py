"""Fitting a pack to the user's own labelled pairs: needs the extra `train`. `menpai.training.train` has the story."""
