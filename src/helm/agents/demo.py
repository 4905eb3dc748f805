"""The in-process part of `agent_demo`: a lending library, as an example of an environment in Python."""

from typing import Any

from helm.agents.tools.tool import tool


class Library:
    """Lends books.

    Args:
        books: maps titles to the author and the reader who has the book, if any.
    """

    def __init__(self, books: dict[str, dict[str, Any]]):
        self._books = books

    @tool
    def find_books(self, author: str) -> list[str]:
        """List the titles of an author.

        Args:
            author: the author's surname.
        """
        return sorted(title for title, book in self._books.items() if book["author"].split()[-1] == author)

    @tool
    def where_is(self, title: str) -> str:
        """Say who has a book."""
        reader = self._book(title).get("reader")
        return f"{reader} has it." if reader else "It is on the shelf."

    @tool
    def lend(self, title: str, reader: str) -> str:
        """Lend a book that is on the shelf to a reader."""
        book = self._book(title)
        if book.get("reader"):
            raise ValueError(f"{book['reader']} has it.")
        book["reader"] = reader
        return "Lent."

    @tool
    def take_back(self, title: str) -> str:
        """Take a book back."""
        self._book(title)["reader"] = None
        return "It is on the shelf."

    def state(self) -> dict[str, Any]:
        """Return what is recorded of the environment."""
        return self._books

    def check(self, readers: dict[str, str | None]) -> dict[str, float]:
        """Return the score: whether exactly these books are lent, and the share of books that are where they should be."""
        right = [book.get("reader") == readers.get(title) for title, book in self._books.items()]
        return {"reward": float(all(right)), "books_right": sum(right) / len(right)}

    def _book(self, title: str) -> dict[str, Any]:
        if title not in self._books:
            raise ValueError(f"There is no book '{title}'.")
        return self._books[title]
