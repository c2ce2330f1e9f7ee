"""What an image shows, whatever library wrote it: the pixels of a picture, and the drawing instructions of a PDF."""

import re
import zlib

import numpy as np

from replication.workflow.tolerances import NUMBER

PDF_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
POINT = 0.01  # points, of 1/72 inch


def read_pixels(path):
    """A picture's pixels, an array (height, width, 4); ValueError, one line, where it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("RGBA")).astype(int)
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError):  # Pillow's own
        raise ValueError(f"{path}: not a picture that can be read; make the file again") from None


def pdf_instructions(content):
    """A PDF's streams as text, decompressed, with the numbers in drawing instructions to 0.01 points.

    How well a library compresses is thereby left aside, as is how a number is written.
    """
    found = []
    for stream in PDF_STREAM.findall(content):
        try:
            stream = zlib.decompress(stream)
        except zlib.error:
            pass  # not compressed
        try:
            words = stream.decode("ascii").split()
        except UnicodeDecodeError:
            found.append(stream)  # a font or a picture
            continue
        found.append(tuple(map(_rounded, words)))
    return found


def _rounded(word):
    if not NUMBER.fullmatch(word):
        return word
    number = float(word) / POINT
    return round(number) if np.isfinite(number) else word
