"""What can be said in a room: no free text, so nothing that needs a moderator."""

from __future__ import annotations

from shuangkou.v1.rooms_pb2 import Phrase

PHRASES = {
    phrase.id: phrase
    for phrase in (
        Phrase(id="hello", en="Hello, everybody!", zh="大家好！"),
        Phrase(id="ready", en="I am ready.", zh="我准备好了。"),
        Phrase(id="start", en="Let us start!", zh="快开始吧！"),
        Phrase(id="wait", en="Wait a moment, please.", zh="请等我一下。"),
        Phrase(id="hurry", en="Hurry up, the flowers are wilting!", zh="快点吧，我等得花儿都谢了！"),
        Phrase(id="swap", en="Let us change places.", zh="咱俩换个位子吧。"),
        Phrase(id="partner", en="Let us be partners.", zh="咱们做对家吧。"),
        Phrase(id="well_played", en="Well played!", zh="打得真好！"),
        Phrase(id="sorry", en="Sorry, partner.", zh="对家，不好意思。"),
        Phrase(id="again", en="One more!", zh="再来一局！"),
        Phrase(id="thanks", en="Thank you!", zh="谢谢！"),
        Phrase(id="bye", en="I have to go, see you.", zh="我先走了，下次再玩。"),
    )
}
"""By id, in the order in which they should be shown."""
