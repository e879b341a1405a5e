"""The technique exam: endings with one right card, proved over every layout, and their kinds.
`making` finds and proves them, `questions` reads the shipped file and asks players."""
