"""What every adapter is: a model of a provider, where it is asked, and how."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from research.llm.base import Abilities, Feature, ModelRequest, Turn
from research.llm.http import Endpoint


@dataclass(frozen=True)
class Options:
    """How an adapter is set up, apart from where it asks."""

    abilities: Abilities = field(default_factory=Abilities)
    stream: str = (
        "auto"  # on, off, or auto: only where an answer may take longer than a silent connection lives
    )
    thinking: str = ""  # a word of base.THINKING, or empty: as the provider does it by itself
    own_host: bool = (
        True  # the vendor's own service, which knows parameters that compatible servers may refuse
    )


class Adapter:
    """One model of one provider. An adapter keeps nothing between two calls."""

    kind: ClassVar[str]

    def __init__(self, model: str, endpoint: Endpoint, options: Options) -> None:
        self.model, self.endpoint, self.options = model, endpoint, options
        self.name, self.abilities = f"{self.kind}:{model}", options.abilities

    @property
    def thinking(self) -> str:
        """How much it is told to think; nothing where its server refuses to be told."""
        return self.options.thinking if self.abilities.thinking else ""

    @property
    def effort(self) -> str:
        """The same as both protocols of OpenAI say it."""
        return "none" if self.thinking == "off" else self.thinking

    def without(self, feature: Feature) -> Self:
        """The same model, never asked for ``feature`` again."""
        fewer: dict[str, Any] = {feature: False}
        return type(self)(
            self.model, self.endpoint, replace(self.options, abilities=replace(self.abilities, **fewer))
        )

    def complete(self, request: ModelRequest) -> Turn:
        raise NotImplementedError
