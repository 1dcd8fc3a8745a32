"""The characters that bots play as, 几种心态: rows of data, read by the policy."""

from dataclasses import dataclass

from shuangkou.ai_player.tiers import Tier


class UnknownPersona(ValueError):
    """No persona has this id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """A character. Knobs go from 0 to 1.

    aggression: how much the lead is worth to it. risk: how little it fears to be beaten.
    bomb_threshold: how much must be at stake before it bombs. support_partner: how much its
    partner's success counts. memory: 0.5 and more counts the cards that are gone.
    whim: how far it strays from its best act. revenge: aggression gained, and patience with bombs lost, by
    each thing that went wrong of late. tier: how hard it searches. think_seconds: the least
    and the most time that it takes over an act where people play (`thinking`).
    """

    id: str
    name_en: str
    name_zh: str
    description_en: str
    description_zh: str
    aggression: float
    risk: float
    bomb_threshold: float
    support_partner: float
    memory: float
    whim: float = 0.0
    revenge: float = 0.0
    think_seconds: tuple[float, float] = (2.0, 4.0)
    tier: Tier = Tier.INSTANT


PLAIN = Persona(
    id="plain",
    name_en="Plain",
    name_zh="平凡型",
    description_en="Even-tempered and sound; gets along with any partner.",
    description_zh="心态平和，打法稳妥，与谁搭档都合得来。",
    aggression=0.4,
    risk=0.4,
    bomb_threshold=0.6,
    support_partner=0.7,
    memory=0.6,
)

PERSONAS: tuple[Persona, ...] = (
    PLAIN,
    Persona(
        id="carefree",
        name_en="Carefree",
        name_zh="洒脱型",
        description_en="Here for the fun: orderly, without ambition, happy to waste a good hand.",
        description_zh="只为开心，出牌有序而无争胜之心，好牌打坏也一笑而过。",
        aggression=0.3,
        risk=0.6,
        bomb_threshold=0.5,
        support_partner=0.5,
        memory=0.3,
        whim=0.5,
        think_seconds=(1.0, 3.0),
    ),
    Persona(
        id="steady",
        name_en="Steady",
        name_zh="传统型",
        description_en="A careful player of the old school: takes few risks and keeps its bombs for the end.",
        description_zh="老派谨慎，少冒风险，炸弹总留到最后。",
        aggression=0.3,
        risk=0.2,
        bomb_threshold=0.8,
        support_partner=0.7,
        memory=0.7,
        think_seconds=(6.0, 12.0),
    ),
    Persona(
        id="critic",
        name_en="Critic",
        name_zh="专门型",
        description_en="Counts every card and knows better than its partner, whom it rather overlooks.",
        description_zh="记牌算牌样样精通，自认高明，不大顾及对家。",
        aggression=0.5,
        risk=0.4,
        bomb_threshold=0.6,
        support_partner=0.4,
        memory=1.0,
        think_seconds=(3.0, 6.0),
        tier=Tier.STRONG,
    ),
    Persona(
        id="veteran",
        name_en="Veteran",
        name_zh="老手型",
        description_en="Calm, exact and ruthless; counts cards and plays for its partner.",
        description_zh="沉着精准，毫不手软，善记牌，肯为对家铺路。",
        aggression=0.4,
        risk=0.35,
        bomb_threshold=0.7,
        support_partner=0.9,
        memory=0.95,
        think_seconds=(3.0, 8.0),
        tier=Tier.STRONG,
    ),
    Persona(
        id="tilt",
        name_en="Tilt",
        name_zh="斗气型",
        description_en="Bombs at the first chance; each loss and each bomb against it makes it wilder.",
        description_zh="有炸就炸，越输越急，手风不顺时乱出牌。",
        aggression=0.8,
        risk=0.7,
        bomb_threshold=0.2,
        support_partner=0.3,
        memory=0.3,
        whim=0.3,
        revenge=0.1,
        think_seconds=(1.0, 2.0),
    ),
)
"""In the order in which they should be shown."""

_BY_ID = {persona.id: persona for persona in PERSONAS}


def persona_of(id: str) -> Persona:
    """The persona with this id, `plain` for an empty one; UnknownPersona when there is none."""
    persona = _BY_ID.get(id or PLAIN.id)
    if persona is None:
        raise UnknownPersona(f"no persona {id[:40]!r}; there are {', '.join(_BY_ID)}")
    return persona
