"""The recipe for tasks of lm-evaluation-harness."""

from helm.benchmark.run_spec import RunSpec, run_spec_function


@run_spec_function("lm_eval")
def get_lm_eval_spec(path: str, num_fewshot: int | None = None, method: str = "") -> RunSpec:
    """The task in the file `path`, with `num_fewshot` examples (default: the task's own) and another adaptation `method`."""
    from helm.benchmark.declarative.lm_eval_run_spec import make_lm_eval_run_spec

    return make_lm_eval_run_spec(path, num_fewshot=None if num_fewshot is None else int(num_fewshot), method=method)
