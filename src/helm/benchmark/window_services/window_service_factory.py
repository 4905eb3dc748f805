"""Creates the window service of a deployment."""

from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.benchmark.window_services.window_service import WindowService
from helm.common.errors import ConfigError
from helm.common.object_spec import create_object, inject_object_spec_args

_WINDOW_SERVICES = "helm.benchmark.window_services"


class WindowServiceFactory:
    """Creates the window service of a deployment."""

    window_services: dict[str, str] = {}
    """Maps the name of a deployment, model or tokenizer to the class path of its window service, if the default does
    not fit. Plugins add to it; `window_service_spec` of a deployment takes precedence."""

    @staticmethod
    def get_window_service(model_deployment_name: str, service: TokenizerService) -> WindowService:
        """Create a window service.

        It is the deployment's own, else the one mapped to its name, model or tokenizer, else one with its tokenizer,
        else one that counts nothing.

        Raises: ModelDeploymentNotFoundError; ConfigError if the deployment's class cannot be created.
        """
        from helm.benchmark.model_deployment_registry import WindowServiceSpec, get_model_deployment
        from helm.benchmark.tokenizer_config_registry import get_tokenizer_config

        deployment = get_model_deployment(model_deployment_name)
        lengths = {
            "max_sequence_length": deployment.max_sequence_length,
            "max_request_length": deployment.max_request_length,
            "max_sequence_and_generated_tokens_length": deployment.max_sequence_and_generated_tokens_length,
        }
        names = (deployment.name, deployment.model_name, deployment.tokenizer_name)
        mapped = [WindowServiceFactory.window_services[n] for n in names if n in WindowServiceFactory.window_services]
        if deployment.window_service_spec:
            spec = deployment.window_service_spec
        elif mapped:
            spec = WindowServiceSpec(mapped[0])
        elif deployment.tokenizer_name is None and all(length is None for length in lengths.values()):
            spec = WindowServiceSpec(
                f"{_WINDOW_SERVICES}.no_tokenizer_window_service.NoTokenizerWindowService", args={}
            )
        else:
            spec = WindowServiceSpec(f"{_WINDOW_SERVICES}.default_window_service.DefaultWindowService", args={})
            if deployment.tokenizer_name is None or deployment.max_sequence_length is None:
                raise ConfigError(
                    f"Model deployment '{model_deployment_name}' needs both tokenizer_name and max_sequence_length, "
                    "or neither of them and no other length."
                )
        tokenizer_name = deployment.tokenizer_name
        config = get_tokenizer_config(tokenizer_name) if tokenizer_name else None
        constants = {
            "service": service,
            "tokenizer_name": tokenizer_name,
            **lengths,
            "end_of_text_token": config.end_of_text_token if config else None,
            "prefix_token": config.prefix_token if config else None,
        }
        gpt2 = lambda: WindowServiceFactory.get_window_service("huggingface/gpt2", service)  # noqa: E731
        try:
            return create_object(inject_object_spec_args(spec, constants, {"gpt2_window_service": gpt2}))
        except (ImportError, AttributeError, TypeError) as e:
            raise ConfigError(
                f"Model deployment '{model_deployment_name}': cannot make its window service {spec.class_name}: {e}"
            ) from e
