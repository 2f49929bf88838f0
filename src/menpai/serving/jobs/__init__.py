"""Tables that people upload: kept on disk, judged one after another by a process of their own, and deleted in time."""
