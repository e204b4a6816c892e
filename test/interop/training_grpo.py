"""Three steps of TRL's GRPOTrainer on examples/training, with a tiny model made here; needs torch, trl and openreward.

The trainer computes the gradients; the responses of the model are scripted, so that there are rewards.
"""

import json
import math
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "training"))

from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM  # noqa: E402
from trl.chat_template_utils import qwen3_chat_template  # noqa: E402

END = "<|im_end|>"
CALL = '<tool_call>\n{"name": "%s", "arguments": {"expression": "1 + 1"}}\n</tool_call>' + END


def tiny_model(folder):
    words = {letter: place for place, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    inner = Tokenizer(models.BPE(vocab=words, merges=[]))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    inner.add_special_tokens(["<|endoftext|>", "<|im_start|>", END])
    inner.add_tokens(["<tool_call>", "</tool_call>", "<think>", "</think>", "<tool_response>", "</tool_response>"])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token=END, pad_token="<|endoftext|>")
    tokenizer.chat_template = qwen3_chat_template
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "head_dim": 16}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 8192}
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), **sizes, **heads, **ends)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def main():
    import trl_grpo

    trl_grpo.rows = lambda split, count, rows=trl_grpo.rows: rows(split, 3)
    with tempfile.TemporaryDirectory() as folder:
        tiny_model(folder)
        lengths = {"num_generations": 4, "per_device_train_batch_size": 12, "max_completion_length": 4000}
        quiet = {"report_to": [], "save_strategy": "no", "logging_steps": 1, "disable_tqdm": True, "output_dir": folder}
        trainer = trl_grpo.create_trainer(folder, max_steps=3, use_cpu=True, bf16=False, **lengths, **quiet)

        def say(prompt_ids, *_, **__):
            """Scripts four rollouts of a task: two evaluate and then submit, one submits at once, one calls nothing."""
            group = [CALL % "evaluate", CALL % "evaluate", CALL % "submit", "No." + END]
            texts = group * 3 if len(prompt_ids) == 12 else [after(prompt) for prompt in prompt_ids]
            return [trainer.processing_class.encode(text) for text in texts], None

        def after(prompt):
            text = trainer.processing_class.decode(prompt)
            return CALL % "submit" if "go on" in text and "done" not in text else "Done." + END

        trainer._generate_single_turn = say
        trainer.train()
        advantages = list(trainer._logs["advantages"])
        steps = [entry for entry in trainer.state.log_history if "loss" in entry]
        print("ok " + json.dumps({
            "steps": [[entry["reward"], entry["grad_norm"] > 0] for entry in steps],
            "advantages": [None if math.isnan(each) else round(each, 2) for each in advantages],
            "rewards": [None if math.isnan(each) else each for each in trainer._logs["rewards"]["Countdown"]],
        }))


main()
