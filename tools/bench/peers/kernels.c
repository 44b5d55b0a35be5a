/* Values of kernels between m and m points of the plane, by the compiler's best loops: kernels NAME MODE CALLS FOLDER.
   What is said is in driver.lua. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void gibbs(double px, double py, const double *restrict x, const double *restrict y, double *restrict to, int m) {
  double a = 0.15 + 0.3 * px;
  for (int j = 0; j < m; j++) {
    double b = 0.15 + 0.3 * x[j], s = a * a + b * b, dx = px - x[j], dy = py - y[j];
    to[j] = 2 * a * b / s * exp(-(dx * dx + dy * dy) / s);
  }
}

static void matern(double px, double py, const double *restrict x, const double *restrict y, double *restrict to, int m) {
  for (int j = 0; j < m; j++) {
    double dx = px - x[j], dy = py - y[j], s = sqrt(5 * (dx * dx + dy * dy)) / 0.3;
    to[j] = (1 + s + s * s / 3) * exp(-s);
  }
}

static double part(int i, double step, double shift) {
  double a = i * step + shift;
  return a - floor(a);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int count, char **args) {
  if (count < 5) return 2;
  int m = strcmp(args[2], "quick") ? 1000 : 100, calls = atoi(args[3]);
  double *p = malloc(4 * m * sizeof *p), *k = NULL;
  for (int i = 0; i < m; i++) {
    p[i] = part(i + 1, 0.6180339887498949, 0), p[m + i] = part(i + 1, 0.7548776662466927, 0);
    p[2 * m + i] = part(i + 1, 0.6180339887498949, 0.3), p[3 * m + i] = part(i + 1, 0.7548776662466927, 0.3);
  }
  char line[64];
  puts("ready"), fflush(stdout);
  while (fgets(line, sizeof line, stdin))
    if (!strcmp(line, "rest\n")) {
      free(k), k = NULL;
      puts("rested"), fflush(stdout);
    } else if (!strcmp(line, "go\n")) {
      double start = seconds();
      for (int c = 0; c < calls; c++) {
        free(k), k = malloc((size_t)m * m * sizeof *k);
        for (int i = 0; i < m; i++)
          (strcmp(args[1], "gibbs") ? matern : gibbs)(p[i], p[m + i], p + 2 * m, p + 3 * m, k + (size_t)i * m, m);
      }
      printf("%.9f\n", seconds() - start), fflush(stdout);
    } else {
      printf("answer");
      for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += k[(size_t)i * m + j];
        printf(" %.17g", sum);
      }
      puts("\nend"), fflush(stdout);
    }
}
