// The source file of the target that builds the precompiled header of the tests.
