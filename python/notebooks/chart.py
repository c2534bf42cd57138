"""Lines and spectrograms as SVG charts, so that the notebooks need no plotting library."""

import base64
import html
import struct
import zlib

import numpy as np
from IPython.display import SVG

COLOURS = ["#2563c9", "#d9541e", "#12855f", "#8a6100", "#7a3fb0"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 300, 90, 10, 30, 44


def chart(x, lines, x_label, y_label, log=False):
    """Lines by their names over x; ``log`` for logarithmic axes."""
    scale = np.log10 if log else np.asarray
    u, values = scale(x), {name: scale(y) for name, y in lines.items()}
    low, high = min(map(np.min, values.values())), max(map(np.max, values.values()))
    high = high if high > low else low + 1
    across = LEFT + (WIDTH - LEFT - RIGHT) * (u - u[0]) / (u[-1] - u[0])
    text = [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}" fill="none" stroke="#c5ccd6"/>']
    number = lambda value: f"{10**value if log else value:.3g}"
    text.append(f'<text x="{LEFT - 6}" y="{TOP + 10}" text-anchor="end">{number(high)}</text>')
    text.append(f'<text x="{LEFT - 6}" y="{HEIGHT - BOTTOM}" text-anchor="end">{number(low)}</text>')
    text.append(f'<text x="{LEFT}" y="{HEIGHT - BOTTOM + 16}">{number(u[0])}</text>')
    text.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - BOTTOM + 16}" text-anchor="end">{number(u[-1])}</text>')
    text.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(x_label)}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    text.append(f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{html.escape(y_label)}</text>')
    for i, (name, y) in enumerate(values.items()):
        colour = COLOURS[i % len(COLOURS)]
        up = TOP + (HEIGHT - TOP - BOTTOM) * (high - y) / (high - low)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(across, up))
        text.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.4" points="{points}"/>')
        text.append(f'<text x="{LEFT + 130 * i}" y="18" fill="{colour}">{html.escape(name)}</text>')
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return SVG(f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">{"".join(text)}</svg>')


def spectrogram(x, rate, highest, seconds=0.05, below=80.0):
    """The spectrum of a signal over time up to a frequency (Hz): levels from the largest (black) to so many dB below it (white)."""
    n = int(seconds * rate)
    starts = np.arange(0, len(x) - n, max((len(x) - n) // WIDTH, 1))
    spectra = np.abs(np.fft.rfft(x[starts[:, None] + np.arange(n)] * np.hanning(n)))[:, : int(highest * n / rate)].T[::-1]
    levels = 20 * np.log10(np.maximum(spectra / spectra.max(), 1e-30))
    grey = (255 * np.clip(-levels / below, 0, 1)).astype(np.uint8)
    # PNG: each row begins with its filter, 0 for none.
    rows = np.pad(grey, ((0, 0), (1, 0))).tobytes()
    part = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")
    place = f'x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}"'
    text = f'<image {place} preserveAspectRatio="none" href="data:image/png;base64,{base64.b64encode(png).decode()}"/>'
    text += f'<text x="{LEFT - 6}" y="{TOP + 10}" text-anchor="end">{highest:g} Hz</text><text x="{LEFT - 6}" y="{HEIGHT - BOTTOM}" text-anchor="end">0</text>'
    text += f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - BOTTOM + 16}" text-anchor="end">{len(x) / rate:.3g} s</text>'
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return SVG(f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">{text}</svg>')
