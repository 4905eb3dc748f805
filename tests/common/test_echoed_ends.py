"""The end of an echoed prompt."""

from helm.common.request import GeneratedOutput, RequestResult, Token, with_echo_of


def test_an_echo_is_kept_from_the_tokens_that_spell_its_end():
    tokens = [Token(text, -float(i)) for i, text in enumerate(["The", " cat", " s", "at"])]
    output = GeneratedOutput("The cat sat", -6.0, tokens)
    result = RequestResult(success=True, embedding=[], completions=[output], cached=False)
    for end, kept in ((" sat", 2), ("sat", 2), ("at", 1), ("t sat", 3), ("The cat sat", 4), ("", 0)):
        (found,) = with_echo_of(result, end).completions
        assert found.tokens == tokens[4 - kept :] and found.text == "".join(t.text for t in found.tokens)
        assert found.logprob == sum(token.logprob for token in found.tokens)
    assert with_echo_of(result, "more than The cat sat").completions == [output]
