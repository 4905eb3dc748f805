from helm.benchmark.window_services.image_generation.openai_dalle_window_service import OpenAIDALLEWindowService


class LexicaSearchWindowService(OpenAIDALLEWindowService):
    """For an image search whose limit is a number of characters."""
