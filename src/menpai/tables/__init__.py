"""Tables: readers and writers by format, columns found by name, and the jobs that run over rows."""
