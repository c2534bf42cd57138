"""Lines as an SVG chart, so that the notebooks need no plotting library."""

import html

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
