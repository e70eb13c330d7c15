# The tag with which longjmp throws. ziglang's C library uses it and does not have it.
	.tagtype __c_longjmp i32
	.globl __c_longjmp
__c_longjmp:
