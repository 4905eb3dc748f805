"""IFBench: instructions that belong to one request, such as a list of capitals or a table."""

import csv
import re
from itertools import pairwise

from helm.benchmark.metrics.ifbench.registry import bare_words, check, lines_of

_CAPITALS = (
    "Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin Amsterdam Warsaw London "
    "Brussels Prague Luxembourg Paris Vienna Bratislava Budapest Vaduz Chisinau Bern Ljubljana Zagreb"
).split()
"""European capitals north of 45 degrees, from north to south."""

_AFRICA = (
    "Zimbabwe",
    "Zambia",
    "Uganda",
    "Tunisia",
    "Togo",
    "Tanzania",
    "Sudan",
    "South Sudan",
    "South Africa",
    "Somalia",
    "Sierra Leone",
    "Seychelles",
    "Senegal",
    "Sao Tome and Principe",
    "Rwanda",
    "Nigeria",
    "Niger",
    "Namibia",
    "Mozambique",
    "Morocco",
    "Mauritius",
    "Mauritania",
    "Mali",
    "Malawi",
    "Madagascar",
    "Libya",
    "Liberia",
    "Lesotho",
    "Kenya",
    "Ivory Coast",
    "Guinea-Bissau",
    "Guinea",
    "Ghana",
    "Gambia",
    "Gabon",
    "Ethiopia",
    "Eswatini",
    "Eritrea",
    "Equatorial Guinea",
    "Egypt",
    "Djibouti",
    "Democratic Republic of the Congo",
    "Comoros",
    "Chad",
    "Central African Republic",
    "Cape Verde",
    "Cameroon",
    "Burundi",
    "Burkina Faso",
    "Botswana",
    "Benin",
    "Angola",
    "Algeria",
)
"""Most countries of Africa in reverse order of the alphabet; others, and other spellings, make no difference."""

_FIRST_YEAR, _LAST_YEAR = 1769, 1821
"""The years of Napoleon, of whose battles the dates are."""


@check("custom:multiples")
def _multiples(response: str) -> bool:
    return re.findall(r"\d+", response) == [str(number) for number in range(14, 50, 7)]


@check("custom:mcq_count_length")
def _mcq_count_length(response: str) -> bool:
    questions = [part for part in re.split(r"^\W*Question\b", response, flags=re.MULTILINE)[1:] if part.strip()]
    option = re.compile(r"^\W*[A-E][).:]", re.MULTILINE)
    stems = [option.split(question, maxsplit=1)[0].strip() for question in questions]
    has_options = all(len(option.findall(question)) == 5 for question in questions)
    return len(questions) == 4 and has_options and all(len(a) < len(b) for a, b in pairwise(stems))


@check("custom:reverse_newline")
def _reverse_newline(response: str) -> bool:
    lines = [line.strip().rstrip(".,") for line in lines_of(response)]
    return set(_AFRICA) <= set(lines) and lines == sorted(lines, reverse=True)


@check("custom:word_reverse")
def _word_reverse(response: str) -> bool:
    return "bald eagle" in " ".join(bare_words(response)[::-1])


@check("custom:character_reverse")
def _character_reverse(response: str) -> bool:
    return "elgae dlab" in response.lower()


@check("custom:european_capitals_sort")
def _european_capitals_sort(response: str) -> bool:
    plain = response.translate(str.maketrans("íășț", "iast")).strip().rstrip(".")
    return [name.strip() for name in plain.split(",")] == _CAPITALS


@check("custom:csv_city")
def _csv_city(response: str) -> bool:
    return _has_table(response, ["ID", "Country", "City", "Year", "Count"], 7)


@check("custom:csv_special_character")
def _csv_special_character(response: str) -> bool:
    columns = ["ProductID", "Category", "Brand", "Price", "Stock"]
    return _has_table(response, columns, 14) and bool(re.search(r'"[^"\n]*[^\w\s"][^"\n]*"', response))


@check("custom:csv_quotes")
def _csv_quotes(response: str) -> bool:
    columns = ["StudentID", "Subject", "Grade", "Semester", "Score"]
    fields = [field.strip() for line in lines_of(response.strip()) for field in line.split("\t")]
    is_quoted = all(len(field) > 1 and field[0] == field[-1] == '"' for field in fields)
    return is_quoted and _has_table(response, columns, 3, "\t")


def _has_table(response: str, columns: list[str], num_rows: int, delimiter: str = ",") -> bool:
    rows = list(csv.reader(lines_of(response.strip()), delimiter=delimiter, skipinitialspace=True))
    is_full = all(len(row) == len(columns) for row in rows)
    return len(rows) == num_rows + 1 and is_full and [name.strip() for name in rows[0]] == columns


@check("custom:date_format_list")
def _date_format_list(response: str) -> bool:
    dates = [re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", date.strip()) for date in response.strip().split(",")]
    return all(
        date and _FIRST_YEAR <= int(date[1]) <= _LAST_YEAR and 1 <= int(date[2]) <= 12 and 1 <= int(date[3]) <= 31
        for date in dates
    )
