"""`python -m helm.benchmark.server` is `helm-server`."""

from helm.benchmark.server import main

if __name__ == "__main__":
    main()
