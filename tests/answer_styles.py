"""How models of today write answers: functions from what they mean to what they say, chosen with a fixed seed."""

import json

NUMBERS = [
    lambda n, r: f"{n}",
    lambda n, r: f"**{n}**",
    lambda n, r: f"#### {n}",
    lambda n, r: (
        f"Let's break this down step by step:\n\n1. First, {r.randint(2, 9)} + {r.randint(2, 9)}.\n2. Then more.\n\n#### {n}"
    ),
    lambda n, r: f"Let me think.\n\nShe starts with {r.randint(10, 99)} and ends with less.\n\n**Answer: {n}**",
    lambda n, r: (
        f"To solve this problem, follow these steps:\n\n- {r.randint(2, 9)} boxes\n- {r.randint(2, 9)} each\n\nAnswer: {n}"
    ),
    lambda n, r: f"The total is {r.randint(2, 9)} × {r.randint(2, 9)}.\n\n$$\\boxed{{{n}}}$$",
    lambda n, r: f"\\boxed{{{n}\\text{{ apples}}}}",
    lambda n, r: f"### Solution\n\nStep 1: 7 days.\n\n### Final Answer\n\n**{n} dollars**",
    lambda n, r: f"The answer is ${n}.00." if n > 0 else f"The answer is {n}.",
    lambda n, r: f"The answer is {n:,}.",
    lambda n, r: f"**Final Answer:** {n:,} items\n\nThis uses the fact that a week has 7 days.",
    lambda n, r: f"I first get {n + 3}. The answer is {n + 3}.\n\nWait, I forgot to subtract 3. The answer is {n}.",
    lambda n, r: f"<think>\nMaybe {n + 1}? The answer is {n + 1}. No.\n</think>\n\nThe answer is {n}.",
    lambda n, r: json.dumps({"steps": ["add", "multiply by 2"], "answer": n}),
    lambda n, r: f"So it is 3 + {n - 3} = **{n}**" if n > 3 else f"**{n}**",
    lambda n, r: f"Por lo tanto, la respuesta es {n}.",
    lambda n, r: f"因此，答案是 {n}。",
    lambda n, r: f"Die Antwort lautet: {n}",
]

LETTERS = [
    lambda x, text, r: x,
    lambda x, text, r: f"**{x}**",
    lambda x, text, r: f"({x})",
    lambda x, text, r: f"{x}. {text}",
    lambda x, text, r: f"**{x}) {text}**",
    lambda x, text, r: f"Answer: {x}",
    lambda x, text, r: f"**Answer:** {x}",
    lambda x, text, r: f"The correct answer is **{x}) {text}**.",
    lambda x, text, r: f"The answer is ({x}).\n\nThis follows from Kepler's third law.",
    lambda x, text, r: f"Let's look at each option.\n\nA is not it.\n\nAfter weighing the options:\n\n**Answer: {x}**",
    lambda x, text, r: f"$\\boxed{{{x}}}$",
    lambda x, text, r: f"$\\boxed{{\\text{{{x}}}}}$",
    lambda x, text, r: f"<think>\nIs it {'ABCD'[('ABCD'.index(x) + 1) % 4]}? Answer: C\n</think>\nAnswer: {x}",
    lambda x, text, r: f"I think it could be {'ABCD'[('ABCD'.index(x) + 1) % 4]}. Actually, no. The answer is {x}.",
    lambda x, text, r: json.dumps({"reasoning": "A good one", "answer": x}),
    lambda x, text, r: text,
    lambda x, text, r: f"The answer is {text}.",
    lambda x, text, r: f"正确答案是 {x}。",
    lambda x, text, r: f"Respuesta: {x}",
    lambda x, text, r: f"Option {x} is the correct answer.",
    lambda x, text, r: f"I'd go with {x}.",
    lambda x, text, r: f"<answer>{x}</answer>",
]

REASONING = (
    "To determine this, consider the energy levels $E_n = -13.6/n^2$ eV. Let A denote the area and B the field.\n\n"
    "**Step 1.** We have $\\Delta E = {} \\times 10^{{-19}}$ J.\n\n**Step 2.** Option A gives the wrong sign, since the mass "
    "is positive. I checked option B in the same way.\n\n**Step 3.** Comparing with the data, only one remains.\n\n"
)

LONG_LETTERS = [
    lambda x, text, r: REASONING.format(r.randint(1, 9)) + f"The correct answer is ({x}).",
    lambda x, text, r: REASONING.format(r.randint(1, 9)) + f"Therefore, the correct answer is **({x}) {text}**.",
    lambda x, text, r: REASONING.format(r.randint(1, 9)) + f"**Answer: {x}**",
    lambda x, text, r: REASONING.format(r.randint(1, 9)) + f"Hence the answer is $\\boxed{{{x}}}$.",
    lambda x, text, r: REASONING.format(r.randint(1, 9)) + f"So, option {x} is correct.",
    lambda x, text, r: (
        f"The correct answer is (C). Hmm, let me check.\n\n{REASONING.format(2)}The correct answer is ({x})."
    ),
    lambda x, text, r: (
        f"<think>\n{REASONING.format(3)}The correct answer is (D).\n</think>\n\nThe correct answer is ({x})."
    ),
    lambda x, text, r: f"{REASONING.format(4)}### Final answer\n\n{x}",
]

PROGRAMS = [
    lambda code, r: f"```python\n{code}\n```",
    lambda code, r: f"```\n{code}\n```",
    lambda code, r: code,
    lambda code, r: f"Here is the completed function:\n\n```python\n{code}\n```\n\nIt runs in constant time.",
    lambda code, r: f"Sure!\n\n```python\n{code}\n```\n\nExample usage:\n\n```python\nprint('done')\n```",
    lambda code, r: f"<think>\nLet me try.\n```python\ndef wrong(): pass\n```\n</think>\n```python\n{code}\n```",
    lambda code, r: (
        f"Naive:\n\n```python\n{code.replace('return', 'return 1000 +')}\n```\n\nFixed:\n\n```python\n{code}\n```"
    ),
    lambda code, r: f"```python\n{code}",
    lambda code, r: f"You can write it like this:\n\n{code}\n\nThis works for all inputs.",
    lambda code, r: f"```python\nimport math\n\n\n{code}\n```\n\n```bash\npython solution.py\n```",
]

NOTHING = [
    "I'm sorry, but I can't help with that.",
    "",
    "I am not sure about this one.",
    "<think>\nThe answer is",
]
"""What is no answer to any question."""
