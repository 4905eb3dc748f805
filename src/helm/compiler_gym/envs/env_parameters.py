"""Parameters that an environment sends to its session."""

from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.envs.env_session import EnvSession


class SentParameters:
    """Sends parameters to the session of an environment, and again at the start of further episodes if asked to."""

    _session: EnvSession
    _resent_parameters: list[tuple[str, str]]
    _benchmark: Benchmark | None

    def send_param(self, key: str, value: str, resend_on_reset: bool = False) -> str:
        """Send a parameter to the session; returns its answer. See `send_params`."""
        return self.send_params((key, value), resend_on_reset=resend_on_reset)[0]

    def send_params(self, *params: tuple[str, str], resend_on_reset: bool = False) -> list[str]:
        """Send parameters to the session; returns its answers.

        Args:
            params: pairs of key and value.
            resend_on_reset: send them again at the start of every further episode.
        Raises: SessionNotFound outside of an episode; ValueError for a parameter that the compiler does not know.
        """
        if resend_on_reset:
            self.resend_on_reset(*params)
        return self._session.send_parameters(params)

    def resend_on_reset(self, *params: tuple[str, str]) -> None:
        """Send parameters at the start of every further episode."""
        self._resent_parameters = list({**dict(self._resent_parameters), **dict(params)}.items())

    def get_benchmark(self) -> Benchmark | None:
        """The program of the current episode with its sources and checks."""
        return self._benchmark
