"""Train an agent with Stable-Baselines3 to choose LLVM passes, and save what it finds as a leaderboard.

    pip install 'helm-evals[compilers,rl]'
    python train_ppo.py --timesteps 20000 --output agent.csv
    helm-compiler-validate agent.csv --env llvm

The agent sees Autophase features, logarithmic, and how many steps are left; it earns what share of the saving of -Oz each
pass brings. `agent.csv` has its best episode for each program, which `helm-run -r compiler:policy=replay,states=agent.csv`
runs beside the other policies.
"""

import argparse

import gymnasium
import numpy as np
from stable_baselines3 import PPO

import helm.compiler_gym
from helm.compiler_gym.envs.env_state import CompilerEnvStateWriter
from helm.compiler_gym.wrappers import CycleOverBenchmarks, TimeLimit

PROGRAMS = ["crc32", "bitcount", "quicksort", "sha256"]


class AutophaseAgentEnv(gymnasium.Env):
    """Spaces that Stable-Baselines3 understands, around an environment of LLVM."""

    def __init__(self, programs, episode_length):
        env = helm.compiler_gym.make("llvm-autophase-ic-v0", connection="in_process")
        self.env = TimeLimit(CycleOverBenchmarks(env, [f"helm-v0/{name}" for name in programs]), episode_length)
        self.episode_length, self.steps = episode_length, 0
        self.action_space = gymnasium.spaces.Discrete(len(env.action_space.names))
        self.observation_space = gymnasium.spaces.Box(0.0, np.inf, (57,), np.float32)
        self.best = {}  # program -> state of its best episode

    def _observe(self, features):
        left = np.array([1 - self.steps / self.episode_length])
        return np.concatenate([np.log1p(np.asarray(features, dtype=float)), left]).astype(np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        features, info = self.env.reset()
        return self._observe(features), {}

    def step(self, action):
        features, reward, terminated, truncated, info = self.env.step(int(action))
        self.steps += 1
        if features is None or reward is None:  # the compiler failed; the episode is over
            return np.zeros(57, np.float32), 0.0, True, False, {}
        state = self.env.state
        known = self.best.get(state.benchmark)
        if known is None or state.reward > known.reward:
            self.best[state.benchmark] = state
        return self._observe(features), float(reward), terminated, truncated, {}

    def close(self):
        self.env.close()


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timesteps", type=int, default=20_000)
    parser.add_argument("--episode-length", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", default="agent.csv")
    args = parser.parse_args(argv)
    env = AutophaseAgentEnv(PROGRAMS, args.episode_length)
    agent = PPO("MlpPolicy", env, n_steps=256, batch_size=64, seed=args.seed, device="cpu")
    agent.learn(args.timesteps)
    env.close()
    with CompilerEnvStateWriter(open(args.output, "w", newline="")) as writer:
        for state in env.best.values():
            writer.write_state(state)
    for program, state in sorted(env.best.items()):
        print(f"{program}  {state.reward:.3f}")


if __name__ == "__main__":
    main()
