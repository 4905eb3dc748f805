"""Finds the words that announce an answer, such as `The final answer is`, in several languages."""

import re
from dataclasses import dataclass

_NOUNS = (
    r"(?:(?:answer|ans|solution|result|respuesta|resposta|risposta|réponse|reponse|antwort|lösung|antwoord|svar|vastaus|"
    r"odpowiedź|odpověď|odpoveď|válasz|răspunsul?|respuesta|jawaban|cevap|yanıt|ответ|відповідь|отговор|απάντηση|"
    r"đáp án|câu trả lời|kết quả)(?:e?n|et|ul)?\b"
    r"|答案|正解|答え|解答|回答|정답|답변|답|الإجابة|الجواب|جواب|پاسخ|תשובה|उत्तर|जवाब|উত্তর|คำตอบ)"
)
_PREFIX_NOUNS = (
    r"(?:(?:choice|option|response|selection|letter|conclusion|guess|"
    r"opción|option|opção|opzione|auswahl)\b|选项|選項|选择|選擇)"
)
_WHICH = (
    r"(?:\s(?:choice|option|letter|key|value|amount|number|correcta|correta|correcte|finale?|final|corretta|الصحيحة|الصحيح|النهائية|"
    r"benar|yang benar|akhir|đúng|cuối cùng)\b|(?:选项|選項|는|은))?"
)
_ASIDE = (
    r"(?:,?\s(?:to|for|of|here|based|given|in|among|from|after|that|which|i|according|therefore|then|would|à|a la|"
    r"auf|zur|на|untuk)\b[^\n.!?:=。]{0,60}?)?"
)
_LINK = (
    r"(?:[\"'”’]?\s{0,3}(?:[:：=]|(?<=\s)-(?=\s)|->|=>|→|—|–|\b(?:is|are|"
    r"was|equals|be|would be|should be|must be|will be|has to be|comes to|"
    r"es|é|è|est|ist|lautet|är|er|on|jest|to|je|este|adalah|ialah|là|είναι|е|є|является|är|de)\b"
    r"|是|为|為|應為|应为|应该是|は|が|は、|는|은|:|هي|هو|है|হল|हैः|คือ)){1,3}"
)
_CUE = re.compile(
    rf"(?<![a-z_]){_NOUNS}{_WHICH}{_ASIDE}{_LINK}"
    rf"|(?<![a-z_])(?:correct|best|right|final|my|remaining|likely|appropriate|正确的?|最佳|correcta|correta|richtige|bonne|corretta)\s?{_PREFIX_NOUNS}{_ASIDE}{_LINK}"
    rf"|(?<![a-z_]){_PREFIX_NOUNS}\s(?:correcta?|correcte|corretta|korrekte?|correta|richtige?)\b{_ASIDE}{_LINK}"
    r"|(?<![a-z])(?:final|correct|selected|selection|choice|option|letter|pick|вариант|opción)\s{0,3}[:：]"
    r"|सही\s(?:उत्तर|जवाब|विकल्प)\s"
    r"|<answer>|<final_answer>|<final>|\[answer\]|^####(?!#)|^####(?=\s)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Cue:
    """The place of such words."""

    start: int

    end: int


_MOST_CUES = 1000


def find_cues(text: str) -> list[Cue]:
    """Return the last places, in order, in time linear in the length of the text."""
    text = text.replace("İ", "I").lower()  # other letters keep their length; ignoring case takes four times as long
    return [Cue(match.start(), match.end()) for match in _CUE.finditer(text)][-_MOST_CUES:]
