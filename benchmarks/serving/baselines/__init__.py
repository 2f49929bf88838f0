"""Other ways to serve the same pack, and one command that runs them in turn.

All call the same matcher on the same pack, so that they differ in nothing but serving. Infinity is left out: it loads
folders of transformers with a tokenizer and graph of its own, so it could only be given another model.
"""
