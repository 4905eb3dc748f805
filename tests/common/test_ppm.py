"""The byte model: probabilities, learning and taking back."""

import math
import random

import pytest

from helm.common.formats.ppm import END, NUM_SYMBOLS, PPMModel, bits_per_byte


def random_text(seed):
    """Texts of few symbols repeat contexts, texts of many do not."""
    generator = random.Random(seed)
    alphabet = generator.sample(range(256), generator.choice([1, 2, 3, 10, 256]))
    return bytes(generator.choices(alphabet, k=generator.randint(0, 300)))


def state_of(model):
    """Counts in a form that does not depend on how they are kept."""
    return {context: {counts: 1} if isinstance(counts, int) else counts for context, counts in model._contexts.items()}


@pytest.mark.parametrize("seed", range(30))
def test_distribution_sums_to_one_and_agrees_with_single_probabilities(seed):
    model = PPMModel(order=seed % 8)
    model.learn(random_text(seed))
    distribution = model.distribution()
    assert len(distribution) == NUM_SYMBOLS
    assert min(distribution) > 0
    assert math.fsum(distribution) == pytest.approx(1, abs=1e-12)
    for symbol in range(NUM_SYMBOLS):
        assert model.probability(symbol) == pytest.approx(distribution[symbol], rel=1e-12)
    symbol, probability = model.most_likely()
    assert probability == pytest.approx(max(distribution), rel=1e-12)
    assert symbol == min(s for s in range(NUM_SYMBOLS) if math.isclose(distribution[s], probability, rel_tol=1e-12))


def test_nothing_learned_is_uniform():
    assert PPMModel().distribution() == [1 / NUM_SYMBOLS] * NUM_SYMBOLS
    assert PPMModel().most_likely() == (0, 1 / NUM_SYMBOLS)


def test_escape_method_d_in_a_worked_example():
    """Order 0 after "aab": a counted twice, b once, so a (2*2-1)/6, b (2*1-1)/6, escape 2/6 among the 255 others."""
    model = PPMModel(order=0)
    model.learn(b"aab")
    assert model.probability(ord("a")) == pytest.approx(3 / 6)
    assert model.probability(ord("b")) == pytest.approx(1 / 6)
    assert model.probability(ord("c")) == pytest.approx(2 / 6 / 255)
    assert model.probability(END) == pytest.approx(2 / 6 / 255)


def test_exclusion_and_update_exclusion_in_a_worked_example():
    """Order 1 after "ababa": context a saw b twice; what it did not see comes from order 0 without b."""
    model = PPMModel(order=1)
    model.learn(b"ababa")
    # In order 0, a counts twice (first, and in the new context b); the later b and a were predicted by their contexts.
    assert model._contexts[b""] == {ord("a"): 2, ord("b"): 1}
    assert model._contexts[b"a"] == {ord("b"): 2}
    assert model.probability(ord("b")) == pytest.approx(3 / 4)
    assert model.probability(ord("a")) == pytest.approx(1 / 4 * 3 / 4)
    assert model.probability(ord("c")) == pytest.approx(1 / 4 * 1 / 4 / 255)


@pytest.mark.parametrize("seed", range(20))
def test_rewind_forgets_exactly_what_came_after(seed):
    text, more = random_text(seed), random_text(seed + 1000)
    model, expected = PPMModel(), PPMModel()
    model.learn(text)
    model.learn(more)
    model.rewind(len(text))
    expected.learn(text)
    assert model.history == text
    assert state_of(model) == state_of(expected)
    model.rewind(0)
    assert model._contexts == {} and model.history == b""


@pytest.mark.parametrize("seed", range(20))
def test_become_equals_learning_afresh(seed):
    generator = random.Random(seed)
    common = random_text(seed)
    model = PPMModel()
    for _ in range(4):
        text = common[: generator.randint(0, len(common))] + random_text(generator.randint(0, 10**6))
        model.become(text)
        expected = PPMModel()
        expected.learn(text)
        assert model.history == text
        assert state_of(model) == state_of(expected)


def test_learning_in_pieces_equals_learning_at_once():
    text = random_text(4) + b"abcabcabd"
    whole, pieces = PPMModel(), PPMModel()
    whole.learn(text)
    for i in range(len(text)):
        pieces.learn(text[i : i + 1])
    assert state_of(whole) == state_of(pieces)


def test_score_is_the_chain_rule():
    text = b"the cat sat on the mat, the cat sat on the hat"
    model, expected = PPMModel(), 0.0
    for byte in text:
        expected += math.log(model.distribution()[byte])
        model.learn(bytes([byte]))
    assert sum(PPMModel().score(text)) == pytest.approx(expected, rel=1e-12)


def test_bits_per_byte_tell_order_from_noise():
    assert bits_per_byte(b"the cat sat on the mat. " * 100) < 0.3
    assert 8.0 < bits_per_byte(random.Random(0).randbytes(4000)) < 9.2  # 8, and what learning in vain costs
    assert bits_per_byte(b"") == 0.0
    english = (
        b"We hold these truths to be self-evident, that all men are created equal, that they are endowed by their "
        b"Creator with certain unalienable Rights, that among these are Life, Liberty and the pursuit of Happiness. "
        b"That to secure these rights, Governments are instituted among Men, deriving their just powers from the "
        b"consent of the governed."
    )
    assert 2 < bits_per_byte(english) < 5


def test_negative_order_is_refused():
    with pytest.raises(ValueError, match="got -1"):
        PPMModel(order=-1)
