"""Words of 64 bits, read as sets."""

from typing import Any

from numba import types
from numba.extending import intrinsic


def _count_bits(_: Any, _word: Any) -> Any:
    def build(__: Any, builder: Any, ___: Any, words: Any) -> Any:
        return builder.ctpop(words[0])

    return types.int64(types.int64), build


def _lowest_bit(_: Any, _word: Any) -> Any:
    def build(context: Any, builder: Any, ___: Any, words: Any) -> Any:
        return builder.cttz(words[0], context.get_constant(types.boolean, 0))

    return types.int64(types.int64), build


count_bits: Any = intrinsic(_count_bits)
"""How many members a word has; only inside of kernels."""
lowest_bit: Any = intrinsic(_lowest_bit)
"""The lowest member of a word that has any; only inside of kernels."""
