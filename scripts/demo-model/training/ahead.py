"""Work that is done ahead, in another thread."""

from queue import Queue
from threading import Thread
from typing import Iterator, TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item], count: int) -> Iterator[Item]:
    """The same items, of which at most so many are made while the last ones are used."""
    made: Queue[Item] = Queue(count)

    def make() -> None:
        for item in items:
            made.put(item)

    Thread(target=make, daemon=True).start()
    while True:
        yield made.get()
