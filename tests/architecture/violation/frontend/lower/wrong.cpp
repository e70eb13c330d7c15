// A file that breaks the layers on purpose, for the test architecture_check_can_fail.
#include "backend/ptx/emit.h"
