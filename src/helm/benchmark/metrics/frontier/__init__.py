"""How the benchmarks that model cards report score an answer: functions of texts, which the metrics beside this folder use."""
