// Cites a section that its document does not have: docs/reference/rules.md 2.
