"""Work that is done ahead, in another thread."""

from queue import Queue
from threading import Thread
from typing import Iterator, TypeVar, Union

Item = TypeVar("Item")


def ahead(items: Iterator[Item], count: int) -> Iterator[Item]:
    """The same items, of which at most so many are made while the last ones are used. Raises what making them raises."""
    made: Queue[Union[Item, Exception]] = Queue(count)

    def make() -> None:
        try:
            for item in items:
                made.put(item)
            made.put(StopIteration())
        except Exception as error:
            made.put(error)

    Thread(target=make, daemon=True).start()
    while True:
        item = made.get()
        if isinstance(item, StopIteration):
            return
        if isinstance(item, Exception):
            raise item
        yield item
