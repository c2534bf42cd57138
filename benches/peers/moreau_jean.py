"""The note of moreau_jean.c with NumPy: one array operation a line, as a script for research has it."""

import sys
import time

import numpy as np

begin = time.process_time()
seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.1
modes, oversampling, rate = 244, 4, 44100.0
length, density, tension, inharmonicity = 0.863, 6.69e-3, 191.6, 3.5e-5
frets = np.array([
    [48, -0.63], [94, -0.88], [137, -1.13], [178, -1.33], [216, -1.58], [253, -1.73], [287, -1.88], [319, -1.98],
    [350, -2.13], [379, -2.18], [406, -2.23], [432, -2.33], [456, -2.33], [479, -2.33], [501, -2.33], [521, -2.33],
    [540, -2.33], [558, -2.335], [576, -2.335], [591, -2.335],
]) * 1e-3
dt = 1 / (rate * oversampling)
n = np.arange(1, modes + 1)
wave, r = n * np.pi / length, 0.64 / length
w2 = wave**2 * tension / density * (1 + inharmonicity * n**2)
sigma = 0.5 * (1.2 + 5e-4 * wave**2)
A, E = 2 * np.exp(-sigma * dt) * np.cos(np.sqrt(w2 - sigma**2) * dt), np.exp(-2 * sigma * dt)
gamma = 2 / (w2 * dt**2) - A / (1 + E - A)
damping = (1 / dt + 0.5 * w2 * dt - 0.5 * gamma * w2 * dt) * (1 - E) / (1 + E)
W = 1 + 0.5 * dt**2 * (1 - gamma) * w2 + dt * damping
keep, pull = 1 - 2 * dt * damping / W, dt * w2 / W
rows = np.sin(np.outer(frets[:, 0], wave))
push = rows / (0.5 * density * length * W)
delassus = rows @ push.T
ear = np.sin(wave * 0.77)
q, v = 2 * 3.6e-3 / (n**2 * np.pi**2 * r * (1 - r)) * np.sin(n * np.pi * r), np.zeros(modes)
frames = int(rate * seconds)
sound = np.zeros(frames)
for frame in range(frames):
    sound[frame] = ear @ v
    for _ in range(oversampling):
        closed = np.flatnonzero(rows @ (q + 0.5 * dt * v) <= frets[:, 1])
        v = keep * v - pull * q
        if closed.size:
            speed, D, p = rows[closed] @ v, delassus[np.ix_(closed, closed)], np.zeros(closed.size)
            for _ in range(200):
                last = p.copy()
                for a in range(closed.size):
                    p[a] = max(0.0, p[a] - (speed[a] + D[a] @ p) / D[a, a])
                if np.max(np.abs(p - last)) <= 1e-12 * np.max(p):
                    break
            v += p @ push[closed]
        q += dt * v
print(f"sound {seconds:g} taken {time.process_time() - begin:g}")
print(f"largest velocity {np.abs(sound).max():g} m/s", file=sys.stderr)
