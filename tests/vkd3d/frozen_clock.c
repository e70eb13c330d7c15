/* Preloaded into vkd3d-gears, which turns its gears with gettimeofday(). The time never changes, so the
 * pictures of two runs can be compared. */
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
