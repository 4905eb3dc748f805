"""Every name that plugins, wrapper scripts and configuration import keeps its path."""

import importlib

import pytest

PUBLIC_NAMES = {
    "helm.benchmark.run_spec": "RunSpec RunSpecFunction run_spec_function get_run_spec_function discover_run_spec_functions",
    "helm.benchmark.run_spec_factory": "construct_run_specs",
    "helm.benchmark.run_expander": (
        "RunExpander ReplaceValueRunExpander InstructionsRunExpander PromptRunExpander NewlineRunExpander StopRunExpander "
        "AddToStopRunExpander GlobalPrefixRunExpander NumTrainTrialsRunExpander MaxTrainInstancesRunExpander "
        "MaxEvalInstancesRunExpander NumOutputsRunExpander NumTrialRunExpander ModelRunExpander ModelDeploymentRunExpander "
        "DataAugmentationRunExpander TokenizerRunExpander NumPromptTokensRunExpander NumOutputTokensRunExpander "
        "ChatMLRunExpander EvalSplitRunExpander OutputFormatInstructions TemperatureRunExpander "
        "IncreaseTemperatureRunExpander IncreaseMaxTokensRunExpander ProcessOutputRunExpander "
        "RUN_EXPANDERS RUN_EXPANDER_SUBCLASSES PERTURBATION_SPECS_DICT ROBUSTNESS_PERTURBATION_SPECS "
        "FAIRNESS_PERTURBATION_SPECS IN_CONTEXT_LEARNING_INSTRUCTIONS_PREFIX IN_CONTEXT_LEARNING_INSTRUCTIONS_SUFFIX "
        "extra_space space lower misspelling synonym contrast_sets typo filler mild_mix contract_and_expand dialect "
        "person_name gender cleva_mild_mix cleva_gender cleva_person_name simplified_to_traditional "
        "mandarin_to_cantonese translate suffix"
    ),
    "helm.benchmark.run": (
        "main helm_run build_parser add_run_args validate_args run_entries_to_run_specs run_benchmarking "
        "import_user_plugins load_entry_point_plugins"
    ),
    "helm.benchmark.runner": (
        "Runner RunnerError get_benchmark_output_path set_benchmark_output_path get_cached_models_path "
        "downsample_eval_instances remove_stats_nans remove_per_instance_stats_nans"
    ),
    "helm.benchmark.presentation.run_entry": "RunEntry RunEntries read_run_entries merge_run_entries",
    "helm.benchmark.presentation.taxonomy_info": "TaxonomyInfo",
    "helm.common.object_spec": "ObjectSpec create_object get_class_by_name inject_object_spec_args parse_object_spec",
    "helm.benchmark.scenarios.scenario": (
        "TRAIN_SPLIT VALID_SPLIT TEST_SPLIT EVAL_SPLITS ALL_SPLITS DEFAULT_TEST_SIZE CORRECT_TAG ASSET_NAME_TAG "
        "ASSET_PATH_TAG make_relevance_tag make_rank_tag unpack_tag with_instance_ids create_scenario "
        "get_scenario_cache_path Input PassageQuestionInput Output Reference Instance ScenarioMetadata Scenario ScenarioSpec"
    ),
    "helm.benchmark.adaptation.adapter_spec": (
        "AdapterSpec Substitution ADAPT_GENERATION ADAPT_CHAT ADAPT_LANGUAGE_MODELING ADAPT_MULTIPLE_CHOICE_JOINT "
        "ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL "
        "ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED ADAPT_RANKING_BINARY ADAPT_EHR_INSTRUCTION "
        "ADAPT_GENERATION_MULTIMODAL ADAPT_MULTIPLE_CHOICE_JOINT_MULTIMODAL ADAPT_MULTIPLE_CHOICE_SEPARATE_METHODS"
    ),
    "helm.benchmark.adaptation.common_adapter_specs": (
        "format_instructions get_generation_adapter_spec get_completion_adapter_spec "
        "get_multiple_choice_joint_adapter_spec get_multiple_choice_joint_chain_of_thought_adapter_spec "
        "get_multiple_choice_separate_adapter_spec get_multiple_choice_adapter_spec get_ranking_binary_adapter_spec "
        "get_instruct_adapter_spec get_few_shot_instruct_adapter_spec get_language_modeling_adapter_spec "
        "get_summarization_adapter_spec get_machine_translation_adapter_spec"
    ),
    "helm.benchmark.adaptation.prompt": "Prompt",
    "helm.benchmark.adaptation.request_state": "RequestState",
    "helm.benchmark.adaptation.scenario_state": "ScenarioState",
    "helm.benchmark.adaptation.adapters.adapter": "Adapter",
    "helm.benchmark.adaptation.adapters.adapter_factory": "AdapterFactory ADAPT_GENERATION ADAPT_MULTIPLE_CHOICE_JOINT",
    "helm.benchmark.adaptation.adapters.in_context_learning_adapter": "InContextLearningAdapter",
    "helm.benchmark.adaptation.adapters.generation_adapter": "GenerationAdapter",
    "helm.benchmark.adaptation.adapters.chat_adapter": "ChatAdapter",
    "helm.benchmark.adaptation.adapters.multiple_choice_joint_adapter": "MultipleChoiceJointAdapter",
    "helm.benchmark.adaptation.adapters.multiple_choice_joint_chain_of_thought_adapter": (
        "MultipleChoiceJointChainOfThoughtAdapter"
    ),
    "helm.benchmark.adaptation.adapters.multiple_choice_separate_adapter": "MultipleChoiceSeparateAdapter",
    "helm.benchmark.adaptation.adapters.multiple_choice_calibrated_adapter": "MultipleChoiceCalibratedAdapter",
    "helm.benchmark.adaptation.adapters.binary_ranking_adapter": ("BinaryRankingAdapter"),
    "helm.benchmark.adaptation.adapters.language_modeling_adapter": "LanguageModelingAdapter",
    "helm.benchmark.adaptation.adapters.ehr_instruction_adapter": "EHRInstructionAdapter PROMPT_TEMPLATE_EHR_PLACEHOLDER",
    "helm.benchmark.adaptation.adapters.multimodal.generation_multimodal_adapter": "GenerationMultimodalAdapter",
    "helm.benchmark.adaptation.adapters.multimodal.in_context_learning_multimodal_adapter": (
        "InContextLearningMultimodalAdapter"
    ),
    "helm.benchmark.adaptation.adapters.multimodal.multiple_choice_joint_multimodal_adapter": (
        "MultipleChoiceJointMultimodalAdapter"
    ),
    "helm.benchmark.adaptation.adapters.multimodal.multimodal_prompt": "MultimodalPrompt",
    "helm.benchmark.metrics.metric": (
        "Metric MetricInterface MetricSpec MetricResult MetricMetadata PerInstanceStats RequestStateSet Processor "
        "create_metric get_all_stats_by_name get_unique_stat_by_name add_context compute_worst_case_metrics Stat "
        "merge_stat MetricName"
    ),
    "helm.benchmark.metrics.metric_name": "MetricName MetricContext",
    "helm.benchmark.metrics.statistic": "Stat merge_stat",
    "helm.benchmark.metrics.metric_service": "MetricService",
    "helm.benchmark.metrics.common_metric_specs": (
        "get_basic_metric_specs get_generic_metric_specs get_exact_match_metric_specs get_f1_metric_specs "
        "get_open_ended_generation_metric_specs get_basic_generation_metric_specs get_basic_reference_metric_specs"
    ),
    "helm.benchmark.metrics.evaluate_reference_metrics": "compute_reference_metrics",
    "helm.benchmark.augmentations.perturbation": "Perturbation TextPerturbation PerturbationSpec create_perturbation",
    "helm.benchmark.augmentations.perturbation_description": (
        "PerturbationDescription PERTURBATION_ORIGINAL PERTURBATION_PERTURBED PERTURBATION_WORST"
    ),
    "helm.benchmark.augmentations.data_augmenter": "DataAugmenter DataAugmenterSpec create_data_augmenter",
    "helm.benchmark.data_preprocessor": "DataPreprocessor",
    "helm.benchmark.annotation.annotator": "Annotator AnnotatorSpec DummyAnnotator",
    "helm.benchmark.annotation.annotator_factory": "AnnotatorFactory",
    "helm.benchmark.annotation.model_as_judge": (
        "AnnotatorModelInfo AnnotatorResponseParseFailure score_with_reasoning "
        "score_with_reasoning_with_gpt_and_llama LLMAsJuryAnnotator"
    ),
    "helm.benchmark.annotation_executor": "AnnotationExecutor AnnotationExecutionSpec AnnotationExecutorError",
    "helm.common.request": (
        "Request RequestResult GeneratedOutput Token Thinking ErrorFlags EMBEDDING_UNAVAILABLE_REQUEST_RESULT "
        "wrap_request_time"
    ),
    "helm.common.tokenization_request": (
        "TokenizationRequest TokenizationRequestResult TokenizationToken TextRange DecodeRequest DecodeRequestResult"
    ),
    "helm.common.media_object": "MediaObject MultimediaObject IMAGE_TYPE AUDIO_TYPE VIDEO_TYPE TEXT_TYPE",
    "helm.common.image_generation_parameters": "ImageGenerationParameters",
    "helm.common.reeval_parameters": "REEvalParameters",
    "helm.common.response_format": "ResponseFormat",
    "helm.common.authentication": "Authentication",
    "helm.common.cache": (
        "Cache CacheConfig KeyValueStoreCacheConfig SqliteCacheConfig BlackHoleCacheConfig MongoCacheConfig "
        "create_key_value_store get_all_from_sqlite write_to_key_value_store CacheStats cache_stats"
    ),
    "helm.common.cache_backend_config": (
        "CacheBackendConfig SqliteCacheBackendConfig MongoCacheBackendConfig BlackHoleCacheBackendConfig"
    ),
    "helm.common.key_value_store": "KeyValueStore SqliteKeyValueStore BlackHoleKeyValueStore request_to_key",
    "helm.common.mongo_key_value_store": "MongoKeyValueStore",
    "helm.common.context": "Context",
    "helm.common.local_context": "LocalContext",
    "helm.common.remote_context": "RemoteContext",
    "helm.common.codec": "to_json from_json to_jsonl from_jsonl to_json_single_line",
    "helm.common.general": (
        "singleton flatten_list ensure_directory_exists check_file_exists parse_hocon get_credentials shell "
        "ensure_file_downloaded format_text format_text_lines format_tags format_split asdict_without_nones "
        "serialize_dates binarize_dict serialize write write_lines indent_lines match_case parallel_map "
        "without_common_entries unique_simplification generate_unique_id get_file_name is_url assert_is_str "
        "assert_is_str_list assert_present hlog htrack"
    ),
    "helm.common.hierarchical_logger": (
        "hlog hwarn hdebug herror hexception htrack htrack_block format_time setup_default_logging"
    ),
    "helm.common.optional_dependencies": "OptionalDependencyNotInstalled handle_module_not_found_error",
    "helm.common.plugins": "import_all_modules_in_package",
    "helm.common.concurrency": "ThreadSafeWrapper",
    "helm.common.credentials_utils": "provide_api_key",
    "helm.common.file_caches.file_cache": "FileCache",
    "helm.common.file_caches.local_file_cache": "LocalFileCache",
    "helm.common.perspective_api_request": ("PerspectiveAPIRequest PerspectiveAPIRequestResult ToxicityAttributes"),
    "helm.common.moderations_api_request": "ModerationAPIRequest ModerationAPIRequestResult",
    "helm.common.clip_score_request": "CLIPScoreRequest CLIPScoreResult",
    "helm.common.nudity_check_request": "NudityCheckRequest NudityCheckResult",
    "helm.common.file_upload_request": "FileUploadRequest FileUploadResult",
    "helm.common.critique_request": (
        "CritiqueQuestionTemplate CritiqueTaskTemplate CritiqueRequest CritiqueResponse CritiqueRequestResult"
    ),
    "helm.clients.client": (
        "Client CachingClient truncate_sequence truncate_and_tokenize_response_text cleanup_str cleanup_tokens "
        "generate_uid_for_multimodal_prompt"
    ),
    "helm.clients.auto_client": "AutoClient AuthenticationError",
    "helm.clients.simple_client": "SimpleClient",
    "helm.tokenizers.tokenizer": "Tokenizer cleanup_str cleanup_tokens",
    "helm.tokenizers.caching_tokenizer": "CachingTokenizer",
    "helm.tokenizers.auto_tokenizer": "AutoTokenizer",
    "helm.tokenizers.simple_tokenizer": "SimpleTokenizer",
    "helm.tokenizers.huggingface_tokenizer": "HuggingFaceTokenizer",
    "helm.tokenizers.tiktoken_tokenizer": "TiktokenTokenizer",
    "helm.tokenizers.http_model_tokenizer": "HTTPModelTokenizer",
    "helm.benchmark.window_services.window_service": "WindowService ConfigurableWindowService EncodeResult INT_MAX",
    "helm.benchmark.window_services.local_window_service": "LocalWindowService",
    "helm.benchmark.window_services.default_window_service": "DefaultWindowService",
    "helm.benchmark.window_services.no_tokenizer_window_service": "NoTokenizerWindowService",
    "helm.benchmark.window_services.no_decoding_window_service": "NoDecodingWindowService",
    "helm.benchmark.window_services.encoder_decoder_window_service": "EncoderDecoderWindowService",
    "helm.benchmark.window_services.ice_window_service": "ICEWindowService",
    "helm.benchmark.window_services.yalm_window_service": "YaLMWindowService",
    "helm.benchmark.window_services.image_generation.clip_window_service": "CLIPWindowService",
    "helm.benchmark.window_services.image_generation.openai_dalle_window_service": "OpenAIDALLEWindowService",
    "helm.benchmark.window_services.image_generation.lexica_search_window_service": "LexicaSearchWindowService",
    "helm.benchmark.window_services.window_service_factory": "WindowServiceFactory",
    "helm.benchmark.window_services.tokenizer_service": "TokenizerService",
    "helm.benchmark.window_services.test_utils": "get_tokenizer_service",
    "helm.benchmark.model_metadata_registry": (
        "ModelMetadata ModelMetadataList ALL_MODELS_METADATA MODEL_NAME_TO_MODEL_METADATA register_model_metadata "
        "register_model_metadata_from_path get_model_metadata get_all_models get_model_names_with_tag model_has_tag "
        "get_all_text_models get_all_code_models get_all_instruction_following_models is_text_to_image_model is_vlm "
        "is_audiolm get_unknown_model_metadata TEXT_MODEL_TAG INSTRUCTION_FOLLOWING_MODEL_TAG"
    ),
    "helm.benchmark.model_deployment_registry": (
        "ClientSpec WindowServiceSpec ModelDeployment ModelDeployments ModelDeploymentNotFoundError ALL_MODEL_DEPLOYMENTS "
        "DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT register_model_deployment register_model_deployments_from_path "
        "get_model_deployment get_model_deployment_host_organization get_model_names_with_tokenizer "
        "get_default_model_deployment_for_model model_deployment_generator discover_model_deployment_generators"
    ),
    "helm.benchmark.tokenizer_config_registry": "TokenizerConfig TokenizerSpec get_tokenizer_config tokenizer_config_generator",
    "helm.benchmark.config_registry": "register_builtin_configs_from_helm_package register_configs_from_directory",
    "helm.benchmark.huggingface_registration": (
        "register_huggingface_model register_huggingface_hub_model_from_flag_value "
        "register_huggingface_local_model_from_flag_value"
    ),
    "helm.benchmark.runner_config_registry": "RunnerConfigSpec RUNNER_CONFIG register_runner_config_from_path",
    "helm.benchmark.executor": "Executor ExecutionSpec ExecutorError",
    "helm.proxy.retry": "NonRetriableException get_retry_decorator retry_request retry_tokenizer_request",
    "helm.proxy.services.service": (
        "Service GeneralInfo CACHE_DIR ACCOUNTS_FILE VERSION expand_environments substitute_text synthesize_request"
    ),
    "helm.proxy.services.remote_service": "RemoteService RemoteServiceError add_service_args create_authentication",
}


@pytest.mark.parametrize("module_name", PUBLIC_NAMES)
def test_public_names_are_importable_from_their_paths(module_name):
    module = importlib.import_module(module_name)
    missing = [name for name in PUBLIC_NAMES[module_name].split() if not hasattr(module, name)]
    assert not missing
