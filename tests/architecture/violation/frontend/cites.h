// Cites sections that their documents do not have: docs/reference/rules.md 2, Vulkan 16.5, D3D11.3 22.11.23,
// PTX ISA 9.7.10.4 tex, 9.7.10.90, SPIR-V 3.90.
