"""How a person steers a running crawl: wishes in `control/`, which the loop fulfils right after a commit.

No socket leads into the loop: a wish is a file that anyone may publish, the dashboard or a script. What it changes is committed
as all else is, so a kill loses no wish.

What is said of pages (`crawl/labels`: on the topic, or not) is no wish: the learner reads it in its next round.
"""
