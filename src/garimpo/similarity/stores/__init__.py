"""What lasts on disk: runs of keys, the index of a running crawl, and the collection that keeps every document."""
