/* A plucked bass string by its modes against rigid frets: modal Moreau-Jean time stepping, as the Siconos page describes it.
 *
 *   W (v+ - v) + dt K q + 2 dt S v = p,     q+ = q + dt v+,     W = 1 + dt^2/2 (1 - gamma) omega^2 + dt sigma*
 *   0 <= C v+ + e C v  _|_  p >= 0   where   C (q + dt/2 v) <= h
 *
 * per mass of a mode; gamma and sigma* are those with which a free mode is exact (q+ = A q - E q-). Rows of all frets are read in each
 * step, impulses come from projected Gauss-Seidel over the closed ones. The note is scenes/bass_frets.toml: modes, frets,
 * losses, rate. Written for this comparison from the published equations, without an energy balance.
 *
 *   cc -O3 -march=native -ffast-math moreau_jean.c -lm -o moreau_jean && ./moreau_jean sound.raw
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MODES 244
#define FRETS 20
#define OVERSAMPLING 4
static const double PI = 3.14159265358979323846;
static const double RATE = 44100.0, SECONDS = 3.0, RESTITUTION = 0.0;
static const double LENGTH = 0.863, DENSITY = 6.69e-3, TENSION = 191.6, INHARMONICITY = 3.5e-5;
static const double D1 = 1.2, D3 = 5e-4, PLUCKED = 0.64, HEIGHT = 3.6e-3, EAR = 0.77;
/* mm */
static const double FRET[FRETS][2] = {
    {48, -0.63},  {94, -0.88},  {137, -1.13}, {178, -1.33}, {216, -1.58}, {253, -1.73},  {287, -1.88},
    {319, -1.98}, {350, -2.13}, {379, -2.18}, {406, -2.23}, {432, -2.33}, {456, -2.33},  {479, -2.33},
    {501, -2.33}, {521, -2.33}, {540, -2.33}, {558, -2.335}, {576, -2.335}, {591, -2.335}};

static double q[MODES], v[MODES], keep[MODES], pull[MODES], yield[MODES];
static double row[FRETS][MODES], push[FRETS][MODES], delassus[FRETS][FRETS], ear[MODES], bridge[MODES];

static double dot(const double *restrict a, const double *restrict b) {
    double sum = 0.0;
    for (int k = 0; k < MODES; k++) sum += a[k] * b[k];
    return sum;
}

int main(int count, char **words) {
    FILE *out = fopen(count > 1 ? words[1] : "sound.raw", "wb");
    if (!out) return 1;
    clock_t begin = clock();
    const double dt = 1.0 / (RATE * OVERSAMPLING), mass = 0.5 * DENSITY * LENGTH, c = sqrt(TENSION / DENSITY);
    for (int k = 0; k < MODES; k++) {
        double n = k + 1, wave = n * PI / LENGTH, r = PLUCKED / LENGTH;
        double omega = wave * c * sqrt(1.0 + INHARMONICITY * n * n), sigma = 0.5 * (D1 + D3 * wave * wave);
        double A = 2.0 * exp(-sigma * dt) * cos(sqrt(omega * omega - sigma * sigma) * dt), E = exp(-2.0 * sigma * dt);
        double w2 = omega * omega;
        double gamma = 2.0 / (w2 * dt * dt) - A / (1.0 + E - A);
        double damping = (1.0 / dt + 0.5 * w2 * dt - 0.5 * gamma * w2 * dt) * (1.0 - E) / (1.0 + E);
        double W = 1.0 + 0.5 * dt * dt * (1.0 - gamma) * w2 + dt * damping;
        keep[k] = 1.0 - 2.0 * dt * damping / W;
        pull[k] = dt * w2 / W;
        yield[k] = 1.0 / (mass * W);
        q[k] = 2.0 * HEIGHT / (n * n * PI * PI * r * (1.0 - r)) * sin(n * PI * r);
        ear[k] = sin(wave * EAR);
        bridge[k] = TENSION * wave * (k % 2 ? -1.0 : 1.0);
        for (int j = 0; j < FRETS; j++) {
            row[j][k] = sin(wave * 1e-3 * FRET[j][0]);
            push[j][k] = yield[k] * row[j][k];
        }
    }
    for (int i = 0; i < FRETS; i++)
        for (int j = 0; j < FRETS; j++) delassus[i][j] = dot(row[i], push[j]);
    double p[FRETS], before[FRETS], after[FRETS], z[MODES], peak = 0.0;
    long frames = (long)(RATE * SECONDS), closed_steps = 0;
    for (long frame = 0; frame < frames; frame++) {
        float sample[2] = {(float)dot(ear, v), (float)dot(bridge, q)};
        fwrite(sample, sizeof(float), 2, out);
        if (fabs(sample[0]) > peak) peak = fabs(sample[0]);
        for (int step = 0; step < OVERSAMPLING; step++) {
            int closed[FRETS], many = 0;
            for (int k = 0; k < MODES; k++) z[k] = q[k] + 0.5 * dt * v[k];
            for (int j = 0; j < FRETS; j++)
                if (dot(row[j], z) <= 1e-3 * FRET[j][1]) closed[many++] = j;
            for (int a = 0; a < many; a++) before[a] = dot(row[closed[a]], v);
            for (int k = 0; k < MODES; k++) v[k] = keep[k] * v[k] - pull[k] * q[k];
            if (many) {
                closed_steps++;
                for (int a = 0; a < many; a++) after[a] = dot(row[closed[a]], v) + RESTITUTION * before[a], p[a] = 0.0;
                for (int sweep = 0; sweep < 200; sweep++) {
                    double change = 0.0, size = 0.0;
                    for (int a = 0; a < many; a++) {
                        double speed = after[a];
                        for (int b = 0; b < many; b++) speed += delassus[closed[a]][closed[b]] * p[b];
                        double next = fmax(0.0, p[a] - speed / delassus[closed[a]][closed[a]]);
                        change = fmax(change, fabs(next - p[a]));
                        size = fmax(size, next);
                        p[a] = next;
                    }
                    if (change <= 1e-12 * size) break;
                }
                for (int a = 0; a < many; a++)
                    for (int k = 0; k < MODES; k++) v[k] += push[closed[a]][k] * p[a];
            }
            for (int k = 0; k < MODES; k++) q[k] += dt * v[k];
        }
    }
    fclose(out);
    printf("sound %g taken %g\n", SECONDS, (double)(clock() - begin) / CLOCKS_PER_SEC);
    fprintf(stderr, "steps with contacts %ld, largest velocity %g m/s\n", closed_steps, peak);
    return 0;
}
