// Cites sections that their documents do not have: docs/reference/rules.md 2, D3D11.3 22.11.23.
