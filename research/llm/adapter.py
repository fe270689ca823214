"""What all adapters share: a provider's model, its address, and how it is asked."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from research.llm.http import Endpoint
from research.llm.interface import Abilities, Feature, ModelRequest, Turn


@dataclass(frozen=True)
class Options:
    """Settings of an adapter besides its address."""

    abilities: Abilities = field(default_factory=Abilities)
    stream: str = "auto"  # on, off, or auto: only if an answer may take longer than a silent connection lasts
    thinking: str = ""  # a word of interface.THINKING, or empty for the provider's default
    own_host: bool = True  # the vendor's own service: compatible servers may refuse some parameters


class Adapter:
    """One model of one provider. Adapters keep nothing between two calls."""

    kind: ClassVar[str]

    def __init__(self, model: str, endpoint: Endpoint, options: Options) -> None:
        self.model, self.endpoint, self.options = model, endpoint, options
        self.name, self.abilities = f"{self.kind}:{model}", options.abilities

    @property
    def thinking(self) -> str:
        """The thinking level to request. Empty if its server refuses the parameter."""
        return self.options.thinking if self.abilities.thinking else ""

    @property
    def effort(self) -> str:
        """The thinking level as both protocols of OpenAI express it."""
        return "none" if self.thinking == "off" else self.thinking

    def without(self, feature: Feature) -> Self:
        """The same model, without ``feature`` from now on."""
        fewer: dict[str, Any] = {feature: False}
        return type(self)(
            self.model, self.endpoint, replace(self.options, abilities=replace(self.abilities, **fewer))
        )

    def complete(self, request: ModelRequest) -> Turn:
        raise NotImplementedError
