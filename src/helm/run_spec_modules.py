"""HELM's modules of run spec functions, whose functions are entries of the catalogue here.

`from helm.benchmark.run_specs.lite_run_specs import get_mmlu_spec` gives the function that the run entry `mmlu` calls, with
HELM's parameters. Nothing is read before a function is used. Modules that exist as files serve HELM's other names from here.
"""

from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from helm.helm_modules import find_name

PACKAGE = "helm.benchmark.run_specs"

_FUNCTIONS = {
    "air_bench_run_specs": "air_bench_2024",
    "arabic_enterprise_run_specs": """
        arabic_content_generation arabic_finance_mcq arabic_finance_bool arabic_finance_calculation
        get_arabic_legal_qa=arabic_legal_qa get_arabic_legal_rag=arabic_legal_rag
    """,
    "arabic_run_specs": """
        arabic_mmlu alghafa aratrust alrage madinah_qa get_arabic_mmmlu_spec=mbzuai_human_translated_arabic_mmlu
        arabic_exams
    """,
    "bluex_run_specs": "bluex",
    "capabilities_run_specs": "mmlu_pro gpqa ifeval wildbench bigcodebench omni_math",
    "classic_run_specs": """
        bbq msmarco bold civil_comments interactive_qa_mmlu wikifact quac news_qa truthful_qa twitter_aae
        real_toxicity_prompts raft boolq lsat_qa imdb babi_qa copyright disinformation code the_pile synthetic_efficiency
        wikitext_103 blimp get_xsum_summarization_spec=summarization_xsum
        get_xsum_sampled_summarization_spec=summarization_xsum_sampled get_cnndm_summarization_spec=summarization_cnndm
        empatheticdialogues legal_support entity_matching entity_data_imputation covid_dialog me_q_sum med_mcqa
        med_paragraph_simplification live_qa lextreme lex_glue billsum_legal_summarization multilexsum_legal_summarization
        eurlexsum_legal_summarization verifiability_judgment opinions_qa lm_entry thai_exam
    """,
    "codeinsights_run_specs": """
        get_codeinsights_correct_code_run_spec=codeinsights_correct_code
        get_codeinsights_student_coding_run_spec=codeinsights_student_coding
        get_codeinsights_student_mistake_run_spec=codeinsights_student_mistake
        get_codeinsights_code_efficiency_run_spec=codeinsights_code_efficiency
        get_codeinsights_edge_case_run_spec=codeinsights_edge_case
    """,
    "decodingtrust_run_specs": """
        decodingtrust_stereotype_bias decodingtrust_adv_robustness decodingtrust_adv_demonstration
        decodingtrust_ood_robustness decodingtrust_fairness decodingtrust_privacy decodingtrust_machine_ethics
        decodingtrust_toxicity_prompts
    """,
    "enem_challenge_specs": "get_enem_spec=enem_challenge",
    "enterprise_run_specs": """
        get_news_headline_spec=gold_commodity_news financial_phrasebank conv_fin_qa_calc kpi_edgar
        legal_contract_summarization legal_opinion_sentiment_classification casehold echr_judgment_classification sumosum
        cti_to_mitre
    """,
    "experimental_run_specs": """
        ci_mcqa ewok autobencher_capabilities autobencher_safety czech_bank_qa medi_qa_without_annotator
    """,
    "finance_run_specs": "fin_qa financebench banking77",
    "healthqa_br_run_specs": "healthqa_br",
    "heim_run_specs": """
        common_syntactic_processes cub200 daily_dalle demographic_stereotypes detection draw_bench i2p landing_page logos
        magazine_cover mental_disorders mscoco paint_skills parti_prompts radiology relational_understanding
        time_most_significant_historical_figures winoground
    """,
    "imdb_ptbr_run_specs": "get_tweetsentbr_spec=imdb_ptbr",
    "instruction_following_run_specs": "self_instruct vicuna grammar open_assistant koala anthropic_hh_rlhf",
    "lite_run_specs": "get_narrativeqa_spec=narrative_qa natural_qa commonsense mmlu gsm math legalbench med_qa wmt_14",
    "lmkt_run_specs": "cultural_value_understanding_wvs social_norm_application_normad social_norm_explanation_normad",
    "long_context_run_specs": """
        ruler_hotpotqa ruler_squad infinite_bench_en_qa infinite_bench_en_mc infinite_bench_en_sum openai_mrcr
    """,
    "medhelm_run_specs": """
        medcalc_bench clear get_mtsamples_spec=mtsamples_replicate get_medec_run_spec=medec ehrshot
        get_head_qa_run_spec=head_qa get_medbullets_run_spec=medbullets medhelm_med_qa medhelm_med_mcqa
        get_medbullets_freetext_run_spec=medbullets_freetext medalign get_shc_ptbm_spec=shc_ptbm_med
        get_shc_sei_spec=shc_sei_med dischargeme get_aci_bench_run_spec=aci_bench mtsamples_procedures mimic_rrs mimic_bhc
        get_chw_care_plan_run_spec=chw_care_plan medication_qa
        get_starr_patient_instructions_run_spec=starr_patient_instructions med_dialog get_shc_conf_spec=shc_conf_med medi_qa
        mental_health pubmed_qa get_ehr_sql_run_spec=ehr_sql get_shc_bmt_spec=shc_bmt_med race_based_med medhallu
        n2c2_ct_matching get_shc_gip_spec=shc_gip_med mimiciv_billing_code get_shc_sequoia_spec=shc_sequoia_med
        get_shc_cdi_spec=shc_cdi_med get_shc_ent_spec=shc_ent_med get_shc_privacy_spec=shc_privacy_med
        get_shc_proxy_spec=shc_proxy_med
    """,
    "melt_run_specs": """
        melt_question_answering_mlqa melt_question_answering_xquad melt_summarization_vietnews melt_summarization_wikilingua
        melt_synthetic_reasoning melt_synthetic_reasoning_natural get_math_spec=melt_math melt_translation_opus100
        melt_translation_phomt get_melt_lm_mask_filling_mlqaa_spec=melt_lm_mask_filling_mlqa
        melt_lm_spelling_correction_vsec melt_text_classification_vsmec melt_text_classification_phoatis
        melt_sentiment_analysis_vlsp melt_sentiment_analysis_vsfc melt_knowledge_zalo melt_knowledge_vimmrc
        melt_toxicity_detection_vihsd melt_toxicity_detection_victsd melt_information_retrieval_mmarco
        melt_information_retrieval_mrobust
    """,
    "mmlu_clinical_afr_run_specs": "mmlu_clinical_afr",
    "multilingual_run_specs": "mmmlu exams_multilingual",
    "oab_exams_specs": "get_enem_spec=oab_exams",
    "safety_run_specs": "harm_bench harm_bench_gcg_transfer simple_safety_tests xstest anthropic_red_team",
    "seahelm_run_specs": """
        tydiqa xquad indicqa nusax uitvsfc wisesight indicsentiment mlhsd vihsd thaitoxicitytweets flores indonli xnli
        indicxnli xcopa lindsea_syntax_minimal_pairs lindsea_pragmatics_presuppositions
        lindsea_pragmatics_scalar_implicatures
    """,
    "simple_run_specs": "simple1",
    "sql_run_specs": "get_bird_sql_dev_run_spec=bird_sql get_spider_run_spec=spider",
    "tweetsentbr_run_specs": "tweetsentbr",
    "vlm_run_specs": """
        a_okvqa chart2csv crossmodal_3600 flickr30k gqa hateful_memes originality_vlm
        pope seed_bench mme real_world_qa mm_star exams_v vibe_eval vqa_rad
    """,
    "audio_run_specs": """
        audio_mnist iemocap_audio meld_audio mutox mustard voice_jailbreak_attacks covost2 vocal_sound
        multilingual_librispeech fleurs fleurs_fairness audiocaps voxceleb2 common_voice_15 speech_robust_bench
        audio_pairs casual_conversations2 air_bench_chat ami librispeech librispeech_fairness air_bench_foundation
        parade corebench
    """,
    "speech_disorder_audio_run_specs": """
        ultra_suite_classification ultra_suite_classification_breakdown ultra_suite_asr_classification
        ultra_suite_asr_transcription ultra_suite_disorder_symptoms
    """,
    "winogrande_afr_run_specs": "winogrande_afr",
}
"""For each module: names of run specs, whose functions are `get_NAME_spec`, or FUNCTION=NAME."""


def run_spec_names(module: str) -> dict[str, str]:
    """Return the names of run specs by function of a module of `run_specs`; empty if HELM has none by this name."""
    names = {}
    for item in _FUNCTIONS.get(module, "").split():
        function, _, name = item.rpartition("=")
        names[function or f"get_{name}_spec"] = name
    return names


def find_function(module: str, function: str) -> Any:
    """Return a function of a module by HELM's name.

    Raises: AttributeError if HELM's module has no such function.
    """
    name = run_spec_names(module).get(function)
    if name is None:
        return find_name(f"{PACKAGE}.{module}", function)
    found = import_module("helm.benchmark.run_spec").get_run_spec_function(name)
    if found is None:
        raise AttributeError(f"'{PACKAGE}.{module}.{function}': the run spec '{name}' is not there.")
    return found


def find_module(name: str) -> ModuleSpec | None:
    """Return how to import a module of HELM's that is no file here; None if HELM has no such module."""
    package, _, module = name.rpartition(".")
    return ModuleSpec(name, _Loader()) if package == PACKAGE and module in _FUNCTIONS else None  # type: ignore[arg-type]


class _Loader:
    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        short = module.__name__.rpartition(".")[2]
        module.__doc__ = "Run spec functions of the catalogue by HELM's names."
        module.__dict__["__all__"] = sorted(run_spec_names(short))
        module.__dict__["__getattr__"] = lambda name: find_function(short, name)
