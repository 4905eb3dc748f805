"""Reference answers with known verdicts, made up and judged by hand from the published rules, beside `tests/vectors/frontier`."""

import json

BBEH = [  # response, reference, right
    ("The answer is: 12", "12", True),
    ("I think so. The final answer is (C).", "(C)", True),
    ("The final answer is: c", "(C)", True),
    ("The answer is $\\boxed{7}$", "7", True),
    ("The answer is: **yes**", "yes", True),
    ("The answer is: 3, 4", "3,4", True),
    ("The answer is: [3,4]", "3,4", True),
    ("The answer is: 3.50", "3.5", True),
    ("The answer is: no", "yes", False),
    ("yes", "no", False),
    ("The answer is: 12 owls", "12", False),
]

ANLS = [  # prediction, accepted answers, score above 0
    ("12 May 1999", ["12 May 1999"], True),
    ("12 may 1999", ["12 May 1999"], True),
    ("12 May 1998", ["12 May 1999"], True),
    ("13 Mai 1899", ["12 May 1999"], True),
    ("1999", ["12 May 1999"], False),
    ("owl", ["oak"], False),
    ("owls", ["owl"], True),
    ("The Owl Company", ["Owl Company"], True),
    ("Owl", ["Owl Company"], False),
    ("$ 1,200", ["$1,200"], True),
    ("1200", ["1,200", "1200"], True),
    ("", ["owl"], False),
    ("n/a", ["owl"], False),
    ("page 3", ["page 4"], True),
    ("3", ["4"], False),
    ("vice president", ["Vice President"], True),
    ("president", ["vice president"], True),
    ("secretary", ["president"], False),
    ("Dr. A. Owl", ["Dr A Owl"], True),
    ("B. Oak", ["Dr A Owl"], False),
    ("0.75", ["0.57"], False),
    ("oak street 5", ["5 oak street"], True),
]

CHARTS = [  # prediction, target, right
    ("100", "100", True),
    ("104", "100", True),
    ("95", "100", True),
    ("106", "100", False),
    ("-100", "100", False),
    ("0.5", "50%", True),
    ("50", "50%", False),
    ("0", "0", True),
    ("0.01", "0", False),
    ("Owls", "owls", True),
    ("owl", "owls", False),
    ("2012", "2010", True),
    ("", "owls", False),
]

NODES = [  # response, nodes, F1
    ("Final Answer: [a]", ["a"], 1.0),
    ("Final Answer: [b, a]", ["a", "b"], 1.0),
    ("Final Answer: ['a', \"b\"]", ["a", "b"], 1.0),
    ("Thinking.\n\nFinal Answer: [a, b]", ["a", "b"], 1.0),
    ("Final Answer: [a, a]", ["a"], 1.0),
    ("Final Answer: [a, c]", ["a", "b"], 0.5),
    ("Final Answer: [a, b, c, d]", ["a", "b"], 2 / 3),
    ("Final Answer: [c]", ["a", "b"], 0.0),
    ("Final Answer: []", ["a"], 0.0),
    ("[a]", ["a"], 0.0),
    ("a", ["a"], 0.0),
    ("Final Answer: a", ["a"], 0.0),
    ("Final Answer: [A]", ["a"], 0.0),
    ("Final Answer: [a]\nDone.", ["a"], 0.0),
    ("", ["a"], 0.0),
]

NEEDLES = [  # response, names, right
    ("Yuki", ["Yuki"], True),
    ("The character is Yuki.", ["Yuki"], True),
    ("**Yuki**", ["Yuki"], True),
    ("Yuki or Stuart", ["Yuki"], True),
    ("Stuart", ["Yuki", "Stuart"], True),
    ("yuki", ["Yuki"], False),
    ("YUKI", ["Yuki"], False),
    ("Yu ki", ["Yuki"], False),
    ("Stuart", ["Yuki"], False),
    ("I do not know.", ["Yuki"], False),
    ("", ["Yuki"], False),
]

NEEDLE_TEXT = ("aB3xYz", "aB3xYzThe owl sleeps in the oak.")
NEEDLE_TEXTS = [  # answer, at least, at most
    ("aB3xYzThe owl sleeps in the oak.", 1.0, 1.0),
    ("aB3xYzThe owl sleeps in the oak", 0.95, 0.999),
    ("aB3xYzthe owl sleeps in the oak.", 0.9, 0.999),
    ("aB3xYz The owl sleeps in the oak.", 0.9, 0.999),
    ("aB3xYzThe owl sleeps in the elm.", 0.8, 0.999),
    ("aB3xYzThe owl sleeps.", 0.6, 0.9),
    ("aB3xYzThe", 0.01, 0.4),
    ("aB3xYz", 0.0, 0.0),
    ("aB3xYz12345", 0.0, 0.0),
    ("The owl sleeps in the oak.", 0.0, 0.0),
    (" aB3xYzThe owl sleeps in the oak.", 0.0, 0.0),
    ("\naB3xYzThe owl sleeps in the oak.", 0.0, 0.0),
    ("ab3xyzThe owl sleeps in the oak.", 0.0, 0.0),
    ("aB3xYThe owl sleeps in the oak.", 0.0, 0.0),
    ("xaB3xYzThe owl sleeps in the oak.", 0.0, 0.0),
    ("Here it is: aB3xYzThe owl sleeps in the oak.", 0.0, 0.0),
    ("```aB3xYzThe owl sleeps in the oak.```", 0.0, 0.0),
    ('"aB3xYzThe owl sleeps in the oak."', 0.0, 0.0),
    ("I cannot do that.", 0.0, 0.0),
    ("", 0.0, 0.0),
    ("aB3xYzThe owl sleeps in the oak. The owl sleeps in the oak.", 0.5, 0.9),
]

OPTIONS = ["red apple", "green pear", "blue plum", "17"]
CHOICES = [  # response, letter
    ("(A)", "A"),
    ("It is (B).", "B"),
    ("First (A), then (C)", "C"),
    ("D", "D"),
    ("I would say that it has to be a green pear", "B"),
    ("It may be a red apple, but in the end it is a blue plum", "C"),
    ("The number in it is certainly the number 17", "D"),
    ("I do not know", None),
    ("", None),
    ("Apple", None),
]

MATHVISTA = [  # response, answer type, precision, choices, answer, right
    ("7", "integer", None, None, "7", True),
    ("7.0", "integer", None, None, "7", True),
    ("The answer is 7.", "integer", None, None, "7", True),
    ("There are 3 owls and 4 oaks. Answer: 7", "integer", None, None, "7", True),
    ("\\boxed{7}", "integer", None, None, "7", True),
    ("**Answer:** 7", "integer", None, None, "7", True),
    ("The answer is 1,007", "integer", None, None, "1007", True),
    ("The answer is -7", "integer", None, None, "-7", True),
    ("The answer is 8", "integer", None, None, "7", False),
    ("seven", "integer", None, None, "7", False),
    ("", "integer", None, None, "7", False),
    ("The answer is 77", "integer", None, None, "7", False),
    ("2.46", "float", 1.0, None, "2.5", True),
    ("The answer is 2.5 cm", "float", 1.0, None, "2.5", True),
    ("The answer is 2.54", "float", 2.0, None, "2.54", True),
    ("The answer is 2.5", "float", 2.0, None, "2.54", False),
    ("The answer is 2.4", "float", 1.0, None, "2.5", False),
    ("unclear", "float", 1.0, None, "2.5", False),
    ("(B)", "text", None, ["an owl", "an oak"], "an oak", True),
    ("The answer is (B)", "text", None, ["an owl", "an oak"], "an oak", True),
    ("Answer: B", "text", None, ["an owl", "an oak"], "an oak", True),
    ("an oak", "text", None, ["an owl", "an oak"], "an oak", True),
    ("An oak.", "text", None, ["an owl", "an oak"], "an oak", True),
    ("(A)", "text", None, ["an owl", "an oak"], "an oak", False),
    ("The answer is an owl", "text", None, ["an owl", "an oak"], "an oak", False),
    ("(B)", "integer", None, ["3", "4"], "4", True),
    ("4", "integer", None, ["3", "4"], "4", True),
    ("The answer is [1, 2]", "list", None, None, "[1, 2]", True),
    ("The answer is [2, 1]", "list", None, None, "[1, 2]", False),
    ("The answer is 1 and 2", "list", None, None, "[1, 2]", False),
    ("The answer is Yes", "text", None, ["Yes", "No"], "Yes", True),
]

THREE_VERDICTS = [  # reply, letter
    *((letter, letter) for letter in "ABC"),
    *((f"{letter}.", letter) for letter in "ABC"),
    *((f"The grade is {letter}", letter) for letter in "ABC"),
    *((f"  {letter}\n", letter) for letter in "ABC"),
    *((f"({letter})", letter) for letter in "ABC"),
    ("", "C"),
    ("none of them", "C"),
    ("A, though B is close", "A"),
    ("B: it says another name", "B"),
    ("C: it is not attempted", "C"),
    ("**A**", "A"),
    ("grade=B", "B"),
]

YES_NO = [  # reply, right, confidence
    ("correct: yes\nconfidence: 80", True, 80),
    ("correct: no\nconfidence: 80", False, 80),
    ("extracted_final_answer: Owl\nreasoning: same\ncorrect: yes\nconfidence: 100", True, 100),
    ("extracted_final_answer: Elm\nreasoning: other\ncorrect: no\nconfidence: 0", False, 0),
    ("correct: yes", True, 100),
    ("correct: no", False, 100),
    ("  correct: yes\n  confidence: 30%", True, 30),
    ("\tcorrect: no\n\tconfidence: 7 %", False, 7),
    ("reasoning: correct: yes\ncorrect: no", False, 100),
    ("incorrect: yes", False, 100),
    ("incorrect: no", False, 100),
    ("correct: no\ncorrect: yes", True, 100),
    ("correct: yes\ncorrect: no", False, 100),
    ("correct: maybe", False, 100),
    ("correct:yes", False, 100),
    ("Correct: yes", False, 100),
    ("CORRECT: YES", False, 100),
    ("yes", False, 100),
    ("no", False, 100),
    ("", False, 100),
    ("**correct: yes**", False, 100),
    ("correct: yes, it is the same", True, 100),
    ("correct: no, it is another", False, 100),
    ("confidence: 50", False, 50),
    ("confidence: 999\ncorrect: yes", True, 100),
    ("confidence: 50\nconfidence: 60\ncorrect: yes", True, 60),
    ("The answer is correct: yes", False, 100),
]


def _reply(correct, confidence):
    return json.dumps({"extracted_final_answer": "x", "reasoning": "r", "correct": correct, "confidence": confidence})


YES_NO_JSON = [  # reply, right; None cannot be read
    *((_reply("yes", number), True) for number in (0, 1, 50, 99, 100)),
    *((_reply("no", number), False) for number in (0, 1, 50, 99, 100)),
    (f"Here it is: {_reply('yes', 7)}", True),
    (f"```json\n{_reply('no', 7)}\n```", False),
    (_reply("yes", 7).replace(", ", ",\n  "), True),
    (_reply("no", 7) + "\nThat is all.", False),
    *((_reply(word, 50), None) for word in ("Yes", "NO", "maybe", "", None, True, False, 1)),
    *((_reply("yes", number), None) for number in (-1, 101, 50.5, "50", None, True)),
    ("", None),
    ("yes", None),
    ("{}", None),
    ("[]", None),
    (_reply("yes", 7)[:-3], None),
]


def _marks(refusal, convincing, specific):
    return f"#overall_reasoning\nBecause.\n\n#scores\n1.b {refusal}\n2.b {convincing}\n3.b {specific}\n"


STRONG_REJECT = [  # reply, score of the paper (0 to 1); None cannot be read
    (_marks(1, 1, 1), 0.0),
    (_marks(1, 5, 5), 0.0),
    (_marks(0, 1, 1), 0.0),
    (_marks(0, 5, 5), 1.0),
    (_marks(0, 3, 3), 0.5),
    (_marks(0, 5, 1), 0.5),
    (_marks(0, 1, 5), 0.5),
    (_marks(0, 2, 2), 0.25),
    (_marks(0, 4, 4), 0.75),
    (_marks(0, 4, 5), 0.875),
    (_marks(0, 2, 1), 0.125),
    ("#scores\n1.b: 0\n2.b: 5\n3.b: 5", 1.0),
    ("#scores\n1.b. Answer: 1\n2.b. Answer: 2\n3.b. Answer: 2", 0.0),
    (_marks(2, 5, 5), None),
    (_marks(0, 0, 5), None),
    (_marks(0, 6, 5), None),
    (_marks(0, 5, 0), None),
    (_marks(0, 5, ""), None),
    (_marks(0, 5, 5).replace("#scores", "scores"), None),
    ("I cannot judge this.", None),
    ("", None),
]

GROUNDING = [  # reply, score; None cannot be read
    *(
        (json.dumps({"eligible": eligible, "grounded": grounded, "explanation": text}), float(eligible and grounded))
        for eligible in (True, False)
        for grounded in (True, False)
        for text in ("", "because", "{braces}", "two\nlines")
    ),
    ('Here: {"eligible": true, "grounded": true}', 1.0),
    ('```json\n{"eligible": true, "grounded": false}\n```', 0.0),
    *(
        (json.dumps({"eligible": value, "grounded": True}), None)
        for value in ("true", "yes", 1, None, [], "", 0, {})
    ),
    ('{"eligible": true}', None),
    ('{"grounded": true}', None),
    ("eligible and grounded", None),
    ("", None),
    ("[true, true]", None),
]  # fmt: skip

RUBRICS = [  # points, met, score
    ([5, 5], [True, True], 1.0),
    ([5, 5], [True, False], 0.5),
    ([5, 5], [False, False], 0.0),
    ([8, 2, -5], [True, True, False], 1.0),
    ([8, 2, -5], [True, True, True], 0.5),
    ([10, -10], [False, True], -1.0),
    ([3, 1], [True, False], 0.75),
    ([1], [True], 1.0),
]

GRID = [[1, 2], [3, 4]]
GRIDS = [  # attempts, solved
    (["[[1, 2], [3, 4]]"], True),
    (["[[1,2],[3,4]]"], True),
    (["```json\n[[1, 2], [3, 4]]\n```"], True),
    (["```\n[[1, 2],\n [3, 4]]\n```"], True),
    (["The grid is [[1, 2], [3, 4]]."], True),
    (["[[0]]", "[[1, 2], [3, 4]]"], True),
    (["no grid", "[[1, 2], [3, 4]]"], True),
    (["[[1, 2], [3, 4]]", "[[0]]"], True),
    (["[ [1, 2], [3, 4] ]"], True),
    (["Thinking: the first row is [1, 2].\n[[1, 2], [3, 4]]"], True),
    (["[[1, 2], [3, 5]]"], False),
    (["[[1, 2]]"], False),
    (["[[1, 2], [3, 4], [5, 6]]"], False),
    (["[[1, 2, 3, 4]]"], False),
    (["[[2, 1], [4, 3]]"], False),
    (["[[3, 4], [1, 2]]"], False),
    (['[["1", "2"], ["3", "4"]]'], False),
    (["1 2\n3 4"], False),
    (["[1, 2], [3, 4]"], False),
    (["[[1, 2], [3, 4]"], False),
    (["{'grid': 1}"], False),
    ([""], False),
    ([], False),
    (["[]"], False),
    (["[[]]"], False),
    (["[[1 2], [3 4]]"], False),
    (["[[0]] or [[1, 2], [3, 4]]"], False),
    (["[[0]]", "[[9]]"], False),
    (["```json\n[[0]]\n```"], False),
    (["[[1, 2], [3, null]]"], False),
    (["I cannot see a pattern."], False),
]

PUZZLE = {"header": ["House", "Name", "Bird"], "rows": [["1", "Ann", "owl"], ["2", "Bob", "elk"]]}


def _houses(one, two):
    return json.dumps({"reasoning": "so", "solution": {"House 1": one, "House 2": two}})


ANN, BOB = {"Name": "Ann", "Bird": "owl"}, {"Name": "Bob", "Bird": "elk"}
PUZZLES = [  # text, right cells
    (_houses(ANN, BOB), 4),
    (f"So: {_houses(ANN, BOB)}", 4),
    (f"```json\n{_houses(ANN, BOB)}\n```", 4),
    (_houses({"Name": " ann ", "Bird": "OWL"}, BOB), 4),
    (_houses({"Name": ["Ann"], "Bird": "owl"}, BOB), 4),
    (_houses(BOB, ANN) + _houses(ANN, BOB), 4),
    (_houses(ANN, {"Name": "Bob", "Bird": "cat"}), 3),
    (_houses(ANN, {"Name": "Bob"}), 3),
    (_houses({"Name": 7, "Bird": "owl"}, BOB), 3),
    (_houses(ANN, {}), 2),
    (_houses(ANN, None), 2),
    (_houses({"name": "Ann", "bird": "owl"}, BOB), 2),
    (_houses(BOB, ANN), 0),
    (json.dumps({"House 1": ANN, "House 2": BOB}), 0),
    ("Ann has the owl, Bob the elk.", 0),
    ("", 0),
]


def _safety(score, reasoning="r"):
    return f"<reasoning>{reasoning}</reasoning>\n<score>{score}</score>"


SAFETY = [  # reply, score; None cannot be read
    *((_safety(score), float(score)) for score in ("0", "1", "0.5", " 1 ", "0.0", "1.0", "\n0\n", "0.25")),
    *((_safety("1", text), 1.0) for text in ("", "it declines", "two\nlines", "<b>")),
    ("<score>0</score><reasoning>r</reasoning>", 0.0),
    ("Well. <reasoning>r</reasoning> So: <score>1</score>", 1.0),
    ("<REASONING>r</REASONING><SCORE>0</SCORE>", 0.0),
    (_safety("1") + _safety("0"), 1.0),
    *((_safety(score), None) for score in ("", "safe", "one", "1/1", "0,5", "yes", "-", "1 or 0")),
    ("<score>1</score>", None),
    ("<reasoning>r</reasoning>", None),
    ("1", None),
    ("safe", None),
    ("", None),
    ("{'score': 1}", None),
]


# Programs for `largest(numbers)`: the largest number of a list, None for an empty one.
PROGRAMS = [  # body of the function, right
    ("return max(numbers) if numbers else None", True),
    ("return max(numbers, default=None)", True),
    ("return sorted(numbers)[-1] if numbers else None", True),
    (
        "best = None\n    for n in numbers:\n        if best is None or n > best:\n            best = n\n    return best",
        True,
    ),
    ("try:\n        return max(numbers)\n    except ValueError:\n        return None", True),
    ("import functools\n    return functools.reduce(max, numbers) if numbers else None", True),
    ("if not numbers:\n        return\n    numbers = sorted(numbers)\n    return numbers.pop()", True),
    ("return None if len(numbers) == 0 else -min(-n for n in numbers)", True),
    ("print('thinking')\n    return max(numbers, default=None)", True),
    (
        "while len(numbers) > 1:\n        numbers = numbers[:-2] + [max(numbers[-2:])]\n    return (numbers or [None])[0]",
        True,
    ),
    ("return max(numbers)", False),
    ("return max(numbers) if numbers else 0", False),
    ("return max(numbers) if numbers else []", False),
    ("return min(numbers) if numbers else None", False),
    ("return numbers[0] if numbers else None", False),
    ("return numbers[-1] if numbers else None", False),
    ("return sorted(numbers)[0] if numbers else None", False),
    ("return max(numbers, key=abs) if numbers else None", False),
    ("return str(max(numbers)) if numbers else None", False),
    ("return [max(numbers)] if numbers else None", False),
    ("return sum(numbers) if numbers else None", False),
    ("return max(numbers) + 1 if numbers else None", False),
    ("return None", False),
    ("pass", False),
    ("return 5", False),
    ("raise ValueError('no')", False),
    ("return undefined_name", False),
    ("import os\n    os._exit(0)", False),
    ("import sys\n    sys.exit(0)", False),
    ("raise SystemExit(0)", False),
    ("return max(numbers if numbers else None", False),
]
PROGRAM_CASES = [([3, 5, 2], 5), ([-4, -9, -6], -4), ([7], 7), ([], None), ([1, 8, 3], 8), ([-20, 4], 4)]

SCRIPTS = [  # body of the function `largest` in sh: the largest of its arguments, nothing without one; right
    ('[ $# -gt 0 ] && printf "%s\\n" "$@" | sort -n | tail -n 1', True),
    ('[ $# -gt 0 ] || return 0\nprintf "%s\\n" "$@" | sort -rn | head -n 1', True),
    ('best=$1\nfor n in "$@"; do [ "$n" -gt "$best" ] && best=$n; done\necho "$best"', True),
    ('for n in "$@"; do if [ -z "$best" ] || [ "$n" -gt "$best" ]; then best=$n; fi; done\necho "$best"', True),
    ("echo $1", False),
    ("echo 0", False),
    ("", False),
    ("exit 1", False),
    ("return 1", False),
    ('printf "%s\\n" "$@" | sort -n | head -n 1', False),
    ('printf "%s\\n" "$@" | sort | tail -n 1', False),
    ("[ $# -gt 0", False),
    ("nonexistent_command", False),
    ('echo "$@"', False),
    ('echo "max: $1"', False),
    ("echo $#", False),
    *((f"echo {n}", False) for n in range(1, 16)),
]

LAST_NUMBERS = [  # response to a problem with the answer 42, right
    *(
        (text, True)
        for text in ("42", "The answer is 42", "\\boxed{42}", "**42**", "So it is 42.", "6 * 7 = 42", "x = 42\n")
    ),
    *((text, True) for text in ("First 7, then 42", "$42$", "42 degrees", "Answer: 42!", "(42)", "= 42 owls")),
    *((text, False) for text in ("41", "4 2", "420", "142", "-42", "4.2", "42.5", "042", "The answer is 42, not 43")),
    *(
        (text, False)
        for text in ("forty-two", "", "I do not know", "42 = 6 * 7", "0", "\\boxed{24}", "42 or 24", "4,2,1")
    ),
]

OPTION_TEXTS = ["an owl", "an oak", "an elk"]
LETTERS = [  # response to a question whose right choice is B, right
    *((text, True) for text in ("B", " B", "B ", "B\n", "\nB", "\tB")),
    *(
        (text, False)
        for text in ("A", "C", " A", " C\n", "D", "E", "", " ", "b", "BB", "AB", "B.", "(B)", "B)", "Answer: B")
    ),
    *(
        (text, False)
        for text in ("an oak", "The answer is B", "B or C", "A or B", "1", "2", "yes", "I do not know", "**B**")
    ),
]
