// Empty: only carries the precompiled header.
