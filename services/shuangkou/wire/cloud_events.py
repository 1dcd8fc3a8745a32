"""CloudEvents attributes in binary mode: the headers of every message that analysts read."""

from google.protobuf.message import Message


def cloud_event(message: Message, service: str, id: str) -> dict[str, str]:
    """The headers of a message that `service` publishes. `id`: unique among its messages of this type."""
    return {
        "ce-specversion": "1.0",
        "ce-type": message.DESCRIPTOR.full_name,
        "ce-source": f"shuangkou/{service}",
        "ce-id": id,
    }
