"""A larger teacher, distilled into the small encoder, where there is a GPU."""
