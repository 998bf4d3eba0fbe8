"""Blanks in the place of numbers that a student would work out, and their key."""

from __future__ import annotations

from treewright.render.chalk.expression import Number, Speller


class Blanks(Speller):
    """Spells numbers; in a quiz it hides some, and numbers the blanks.

    `hidden`: what belongs in the blanks, in order.
    """

    def __init__(self, *, quiz: bool) -> None:
        self.quiz = quiz
        self.hidden: list[str] = []
        self._known: dict[str, int] = {}

    def number(self, one: Number) -> str:
        """The digits, or a blank."""
        place = self.place(one)
        return self.shown(one.text) if place is None else self.blank(place)

    def place(self, one: Number) -> int | None:
        """The number of a blank; None if the number is not hidden."""
        if not (self.quiz and one.hidden):
            return None
        place = self._known.get(one.about)
        if place is None:
            self.hidden.append(one.text)
            place = len(self.hidden)
        if one.about:
            self._known[one.about] = place
        return place

    def shown(self, text: str) -> str:
        """Digits."""
        return text

    def blank(self, place: int) -> str:
        """A blank with its number."""
        return f"__{place}__"
