"""What a command is doing, on one line of a terminal that is written over."""


class Progress:
    """One line on a stream; nothing where the stream is no terminal."""

    def __init__(self, stream):
        self.stream, self.shown = stream, stream.isatty()

    def say(self, text):
        if self.shown:
            print(f"\r\x1b[2K{text[:78]}", end="", file=self.stream, flush=True)

    def count(self, done, total, what="half-sample"):
        self.say(f"{what} {done} of {total}")

    def clear(self):
        if self.shown:
            print("\r\x1b[2K", end="", file=self.stream, flush=True)
