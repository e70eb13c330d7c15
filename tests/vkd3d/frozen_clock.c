/* Preloaded into vkd3d-gears, whose gears turn with gettimeofday(): they stand still, and a picture of them
 * can be compared with another one. */
#include <stddef.h>

struct timeval;
int gettimeofday(struct timeval* restrict time, void* restrict zone);

struct seconds {
  long whole, micro;
};

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  (void)zone;
  if (time != NULL) *(struct seconds*)(void*)time = (struct seconds){1000000, 0};
  return 0;
}
