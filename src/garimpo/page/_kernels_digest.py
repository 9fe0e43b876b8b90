"""BLAKE2b (RFC 7693) of many texts at once: sixteen side by side, so that each step of the function is one vector instruction.

Word k of lane l stands at k * LANES + l. Lanes do not wait for each other: one whose text ends takes the next.
"""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel

LANES = 16
BLOCK = 128
WORDS = BLOCK // 8

_START = [
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
]  # fmt: skip
I0, I1, I2, I3, I4, I5, I6, I7 = (np.uint64(word) for word in _START)
EIGHT_BYTES = np.uint64(0x01010008)
"""What the first word is mixed with for a digest of eight bytes without a key."""
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

U64 = types.uint64
WORDS_IN = types.Array(U64, 1, "C", readonly=True)
LENGTHS = types.Array(types.int64, 1, "C", readonly=True)
STATE = types.Array(U64, 1, "C")
PLACES = types.Array(types.int64, 1, "C")


@kernel(U64(U64, types.int64), inline="always")
def _turned(word, bits):  # type: ignore[no-untyped-def]
    return (word >> np.uint64(bits)) | (word << np.uint64(64 - bits))


@kernel(types.UniTuple(U64, 4)(U64, U64, U64, U64, U64, U64))
def _mixed(a, b, c, d, x, y):  # type: ignore[no-untyped-def]
    a += b + x
    d = _turned(d ^ a, 32)
    c += d
    b = _turned(b ^ c, 24)
    a += b + y
    d = _turned(d ^ a, 16)
    c += d
    b = _turned(b ^ c, 63)
    return a, b, c, d


@kernel(types.UniTuple(U64, 16)(types.UniTuple(U64, 16), *[U64] * 16))
def _round(v, wa, wb, wc, wd, we, wf, wg, wh, wi, wj, wk, wl, wm, wn, wo, wp):  # type: ignore[no-untyped-def]
    v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15 = v
    v0, v4, v8, v12 = _mixed(v0, v4, v8, v12, wa, wb)
    v1, v5, v9, v13 = _mixed(v1, v5, v9, v13, wc, wd)
    v2, v6, v10, v14 = _mixed(v2, v6, v10, v14, we, wf)
    v3, v7, v11, v15 = _mixed(v3, v7, v11, v15, wg, wh)
    v0, v5, v10, v15 = _mixed(v0, v5, v10, v15, wi, wj)
    v1, v6, v11, v12 = _mixed(v1, v6, v11, v12, wk, wl)
    v2, v7, v8, v13 = _mixed(v2, v7, v8, v13, wm, wn)
    v3, v4, v9, v14 = _mixed(v3, v4, v9, v14, wo, wp)
    return v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15


@kernel(types.void(STATE, types.int64))
def _begin(chain, lane):  # type: ignore[no-untyped-def]
    chain[lane], chain[LANES + lane] = I0 ^ EIGHT_BYTES, I1
    chain[2 * LANES + lane], chain[3 * LANES + lane] = I2, I3
    chain[4 * LANES + lane], chain[5 * LANES + lane] = I4, I5
    chain[6 * LANES + lane], chain[7 * LANES + lane] = I6, I7


@kernel(types.void(STATE, STATE, STATE, STATE))
def _compress(chain, block, counted, last):  # type: ignore[no-untyped-def]
    """One block of every lane. All sixteen variables of a lane are locals: only so the loop is made of vectors."""
    for lane in range(LANES):
        w0, w1, w2, w3 = block[lane], block[LANES + lane], block[2 * LANES + lane], block[3 * LANES + lane]
        w4, w5, w6, w7 = block[4 * LANES + lane], block[5 * LANES + lane], block[6 * LANES + lane], block[7 * LANES + lane]
        w8, w9, w10, w11 = block[8 * LANES + lane], block[9 * LANES + lane], block[10 * LANES + lane], block[11 * LANES + lane]
        w12, w13 = block[12 * LANES + lane], block[13 * LANES + lane]
        w14, w15 = block[14 * LANES + lane], block[15 * LANES + lane]
        h0, h1, h2, h3 = chain[lane], chain[LANES + lane], chain[2 * LANES + lane], chain[3 * LANES + lane]
        h4, h5, h6, h7 = chain[4 * LANES + lane], chain[5 * LANES + lane], chain[6 * LANES + lane], chain[7 * LANES + lane]
        v = (h0, h1, h2, h3, h4, h5, h6, h7, I0, I1, I2, I3, I4 ^ counted[lane], I5, I6 ^ last[lane], I7)
        v = _round(v, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15)
        v = _round(v, w14, w10, w4, w8, w9, w15, w13, w6, w1, w12, w0, w2, w11, w7, w5, w3)
        v = _round(v, w11, w8, w12, w0, w5, w2, w15, w13, w10, w14, w3, w6, w7, w1, w9, w4)
        v = _round(v, w7, w9, w3, w1, w13, w12, w11, w14, w2, w6, w5, w10, w4, w0, w15, w8)
        v = _round(v, w9, w0, w5, w7, w2, w4, w10, w15, w14, w1, w11, w12, w6, w8, w3, w13)
        v = _round(v, w2, w12, w6, w10, w0, w11, w8, w3, w4, w13, w7, w5, w15, w14, w1, w9)
        v = _round(v, w12, w5, w1, w15, w14, w13, w4, w10, w0, w7, w6, w3, w9, w2, w8, w11)
        v = _round(v, w13, w11, w7, w14, w12, w1, w3, w9, w5, w0, w15, w4, w8, w6, w2, w10)
        v = _round(v, w6, w15, w14, w9, w11, w3, w0, w8, w12, w2, w13, w7, w1, w4, w10, w5)
        v = _round(v, w10, w2, w8, w4, w7, w6, w1, w5, w15, w11, w9, w14, w3, w12, w13, w0)
        v = _round(v, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15)
        v = _round(v, w14, w10, w4, w8, w9, w15, w13, w6, w1, w12, w0, w2, w11, w7, w5, w3)
        chain[lane] = h0 ^ v[0] ^ v[8]
        chain[LANES + lane] = h1 ^ v[1] ^ v[9]
        chain[2 * LANES + lane] = h2 ^ v[2] ^ v[10]
        chain[3 * LANES + lane] = h3 ^ v[3] ^ v[11]
        chain[4 * LANES + lane] = h4 ^ v[4] ^ v[12]
        chain[5 * LANES + lane] = h5 ^ v[5] ^ v[13]
        chain[6 * LANES + lane] = h6 ^ v[6] ^ v[14]
        chain[7 * LANES + lane] = h7 ^ v[7] ^ v[15]


@kernel(types.void(WORDS_IN, LENGTHS, STATE, STATE, PLACES, STATE))
def blake2b(words, lengths, chain, block, places, out):  # type: ignore[no-untyped-def]
    """The first word of each text's digest. The texts stand one after another, each filled up with zeros to whole blocks.

    `chain` and `block` are room for 8 and 18 words a lane, `places` for two numbers: arrays made here would double the time
    it takes to load this code.
    """
    counted, last = block[16 * LANES : 17 * LANES], block[17 * LANES :]
    text, at = places[:LANES], places[LANES:]
    text[:] = -1
    taken = next_word = 0
    while True:
        busy = 0
        for lane in range(LANES):
            if text[lane] < 0 and taken < len(lengths):
                text[lane], at[lane], counted[lane] = taken, next_word, 0
                _begin(chain, lane)
                next_word += max(1, -(-lengths[taken] // BLOCK)) * WORDS
                taken += 1
            if text[lane] >= 0:
                busy += 1
                for k in range(WORDS):
                    block[k * LANES + lane] = words[at[lane] + k]
                at[lane] += WORDS
                length = np.uint64(lengths[text[lane]])
                counted[lane] = min(counted[lane] + np.uint64(BLOCK), length)
                last[lane] = ALL if counted[lane] == length else np.uint64(0)
        if not busy:
            return
        _compress(chain, block, counted, last)
        for lane in range(LANES):
            if text[lane] >= 0 and last[lane]:
                out[text[lane]] = chain[lane]
                text[lane] = -1
