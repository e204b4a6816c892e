"""SkyRL: retries rollouts in which the environment failed, and masks them from the loss if all attempts fail.

Return it from `get_generator` of a subclass of `BasePPOExp`.
"""

from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator

ATTEMPTS = 3


class OrsGenerator(SkyRLGymGenerator):
    async def generate(self, input_batch, *args, **kwargs):
        """Adds the training step, and the index of each rollout in its group, to the environments for traces."""
        batch = input_batch.get("batch_metadata")
        ids = input_batch.get("trajectory_ids") or [None] * len(input_batch["env_extras"])
        for extras, trajectory in zip(input_batch["env_extras"], ids):
            extras["step"] = batch.global_step if batch else None
            extras["sample"] = trajectory.repetition_id if trajectory else None
        return await super().generate(input_batch, *args, **kwargs)

    async def agent_loop(self, prompt, env_class, env_extras, *args, **kwargs):
        for _ in range(ATTEMPTS):
            output = await super().agent_loop(prompt, env_class, env_extras, *args, **kwargs)
            if not env_extras.get("lost"):
                return output
        # Masks all tokens. The partial reward still counts in the mean of the group.
        for step in getattr(output, "step_outputs", [output]):
            step.loss_mask = [0] * len(step.loss_mask)
        return output
