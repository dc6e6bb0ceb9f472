/* The floor for moves: renames every entry of one folder into another, then fsyncs both folders, as a
 * group of moves does; nothing else. Prints the seconds that this took. Arguments: from, to. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int sync_folder(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY);
  return fd < 0 || fsync(fd) != 0 || close(fd) != 0;
}

int main(int argc, char **argv) {
  static char names[200000][96];
  int n = 0;
  if (argc != 3) return 2;
  DIR *dir = opendir(argv[1]);
  if (!dir) return 1;
  for (struct dirent *e; n < 200000 && (e = readdir(dir));)
    if (e->d_name[0] != '.') strncpy(names[n++], e->d_name, sizeof *names - 1);
  closedir(dir);
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  char from[4096], to[4096];
  for (int i = 0; i < n; i++) {
    snprintf(from, sizeof from, "%s/%s", argv[1], names[i]);
    snprintf(to, sizeof to, "%s/%s", argv[2], names[i]);
    if (rename(from, to) != 0) return 1;
  }
  if (sync_folder(argv[2]) || sync_folder(argv[1])) return 1;
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%.6f\n", (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9);
  return 0;
}
