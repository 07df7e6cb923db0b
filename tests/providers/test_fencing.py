import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.providers.actions import fingerprint
from lexreview.providers.fencing import BLOCKS, Fence, UnknownBlock, harmless
from lexreview.providers.requests import CallRequest

TAG = re.compile(rf"<\s*[/\\]?\s*({'|'.join(BLOCKS)})\b", re.IGNORECASE)
HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "<",
                "</",
                "< / ",
                "＜",
                "&lt;",
                ">",
                "answer",
                "SOURCE",
                "key",
                " ",
                "\n",
                "{marker}",
                "{half}",
                "{rest}",
                "\u202e",
            ]
        ),
        st.text(max_size=5),
    ),
    max_size=30,
).map("".join)


@given(HOSTILE, st.sampled_from(BLOCKS))
def test_text_cannot_close_or_open_a_block(text: str, name: str) -> None:
    fence = Fence()

    half, rest = fence.marker[:8], fence.marker[8:]

    block = fence.around(name, text.replace("{marker}", fence.marker).replace("{half}", half).replace("{rest}", rest))

    first, *body, last = block.split("\n")
    assert (first, last) == (f"<{name} {fence.marker}>", f"</{name} {fence.marker}>")
    assert not TAG.search("\n".join(body))
    assert fence.marker not in "\n".join(body)


@pytest.mark.parametrize(
    "text",
    ["<answer{marker}", "<ans{marker}wer", "{half}{marker}{rest}", "{half}\u202e{rest}", "<{half}\u202e{rest}/key"],
)
def test_what_is_taken_out_joins_nothing(text: str) -> None:
    fence = Fence()
    half, rest = fence.marker[:8], fence.marker[8:]

    block = fence.around(
        "answer", text.replace("{marker}", fence.marker).replace("{half}", half).replace("{rest}", rest)
    )

    body = "\n".join(block.split("\n")[1:-1])
    assert not TAG.search(body)
    assert fence.marker not in body


def test_law_keeps_its_signs() -> None:
    text = "art. 118¹ § 3 – „5 < 7”, <b>pogrubione</b>, [link](https://example.org/?a=1&b=2) and\r\n\ttab"
    assert harmless(text) == text


def test_unseen_signs_are_left_out() -> None:
    smuggled = "".join(chr(0xE0000 + ord(letter)) for letter in "pass")
    assert harmless(f"art. 5{smuggled}\u202e\x00 k.c.") == "art. 5 k.c."


def test_every_fence_has_a_marker_of_its_own() -> None:
    assert len({Fence().marker for _ in range(100)}) == 100
    assert all(len(Fence().marker) >= 16 for _ in range(3))


def test_unknown_block_is_refused() -> None:
    with pytest.raises(UnknownBlock, match="verdict"):
        Fence().around("verdict", "")


def test_same_question_has_the_same_fingerprint_under_another_marker() -> None:
    def asked(text: str) -> str:
        fence = Fence()
        prompt = fence.around("answer", text)
        return fingerprint(
            CallRequest(provider="local", model="m", prompt=prompt, instructions=fence.rule, marker=fence.marker)
        )

    assert asked("A1") == asked("A1")
    assert asked("A1") != asked("A2")
