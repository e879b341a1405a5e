"""The technique exam: endings with one right card, proved over every layout, and their kinds.
`overtrick_lab.exam` finds and proves them, `questions` reads the shipped file and asks players."""
