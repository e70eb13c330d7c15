// Nothing: carries the precompiled header.
