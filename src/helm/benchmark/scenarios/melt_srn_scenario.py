"""Deduction from rules in simple Vietnamese."""

from helm.benchmark.scenarios.synthetic_reasoning_natural_scenario import NaturalWords, SRNScenario
from helm.benchmark.scenarios.synthetic_reasoning_natural_scenario import get_vocab as get_vocab_of

VIETNAMESE = NaturalWords(
    subjects={
        "người": ("An", "Bình", "Cường", "Duy", "Đạt", "Phương"),
        "động vật": (
            "con chó", "con mèo", "con thỏ", "con chuột", "con hổ", "con sư tử", "con gấu", "con sóc", "con bò",
            "con gấu trúc", "con nhím", "con voi", "con hươu cao cổ", "con hà mã",
        ),
        "thực vật": ("hoa anh túc", "hoa bồ công anh", "cây", "hoa hồng", "hoa hướng dương"),
    },
    attributes={
        "trẻ": ("trẻ",),
        "mềm": ("mềm",),
        "buồn": ("buồn",),
        "sợ": ("sợ",),
        "lạnh": ("lạnh", "lạnh buốt", "mát mẻ"),
        "nóng": ("nóng", "ấm"),
        "thông minh": ("thông minh", "tài giỏi", "khôn", "sáng trí"),
        "sạch": ("sạch", "ngăn nắp"),
        "nhỏ": ("nhỏ", "bé", "tí nị"),
        "to": ("to", "khổng lồ", "bự", "lớn"),
        "tốt": ("tốt", "tử tế", "tốt bụng"),
        "đẹp": ("đẹp", "xinh"),
        "đỏ": ("đỏ", "đỏ thẫm"),
        "xanh dương": ("xanh dương", "xanh lam"),
        "xanh lục": ("xanh lục", "xanh lá cây"),
        "tím": ("tím", "tím than"),
        "chán": ("chán", "đần"),
        "cũ": ("cũ", "xưa", "cổ"),
        "mạnh": ("mạnh", "mạnh mẽ", "cơ bắp"),
        "yếu": ("yếu", "yếu đuối", "mỏng manh"),
        "nhanh": ("nhanh", "mau"),
        "chậm": ("chậm", "chậm chạp"),
        "xấu": ("xấu", "xấu xa", "ác", "độc ác"),
        "hạnh phúc": ("hạnh phúc", "hân hoan", "vui mừng", "vui vẻ"),
        "tròn": ("tròn", "hình tròn", "hình cầu"),
    },
    person="người",
    indefinite=("một", "một"),
    definite="cái",
    conjunctions=("và", "hoặc"),
    rule="Nếu %s là %s, thì %s là %s.",
    fact="%s là %s.",
    nothing="Không có gì.",
    fact_heading="Sự thật:",
    question="Những điều sau đây có thể được xác định về %s:",
)  # fmt: skip


def get_vocab() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the attributes with their synonyms, and the categories with their members."""
    return get_vocab_of(VIETNAMESE)


class MELTSRNScenario(SRNScenario):
    """`SRNScenario` with Vietnamese words: the same draws, so the same rules and facts."""

    words = VIETNAMESE
