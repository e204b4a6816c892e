"""verl: an agent loop that plays each trajectory as an episode of an ORS server.

A tool of verl exists for one call, but an episode lasts as long as the trajectory, so it is part of the loop. A row of
the data set has `extra_info` with `split` and `index`, and any `prompt`, which is replaced by the server's. Configuration:

    actor_rollout_ref.rollout.agent.default_agent_loop=ors_agent
    actor_rollout_ref.rollout.agent.agent_loop_config_path=verl_agent_loop.yaml
"""

import asyncio

from episodes import Episode
from traces import record
from verl.experimental.agent_loop.agent_loop import register
from verl.experimental.agent_loop.tool_agent_loop import AgentState, ToolAgentLoop
from verl.tools.function_tool import FunctionTool
from verl.tools.schemas import OpenAIFunctionToolSchema

ATTEMPTS = 3


@register("ors_agent")
class OrsAgentLoop(ToolAgentLoop):
    """verl creates an instance for each trajectory."""

    async def run(self, sampling_params, **kwargs):
        """Retries if the environment fails. If all attempts fail it raises, and verl continues without the trajectory."""
        for _ in range(ATTEMPTS):
            output = await self._play(sampling_params, **kwargs)
            if self.episode.failure is None:
                return output
        raise RuntimeError(f"the environment failed {ATTEMPTS} times") from self.episode.failure

    async def _play(self, sampling_params, **kwargs):
        task = kwargs["extra_info"]
        self.episode, self.messages = Episode(task["split"], task["index"]), []
        try:
            prompt = await self.episode.open()
            tools = await self.episode.tools()
            self.tools = {tool["name"]: self._tool(tool) for tool in tools}
            self.tool_schemas = [{"type": "function", "function": tool} for tool in tools]
            messages = [{"role": "user", "content": prompt}]
            output = await super().run(sampling_params, **{**kwargs, "raw_prompt": messages})
        finally:
            await self.episode.close()
        output.reward_score = self.episode.reward
        labels = {"step": kwargs.get("global_steps"), "sample": kwargs.get("session_id")}
        await asyncio.to_thread(record, self.episode, self.messages, **labels)
        return output

    def _tool(self, tool):
        async def call(**arguments):
            before = len(self.episode.calls)
            text = await self.episode.call(tool["name"], arguments)
            return text, sum(reward or 0.0 for _, reward in self.episode.calls[before:])

        # The parsers of verl support only properties with a type. The model receives the whole schema.
        properties = tool["parameters"].get("properties", {})
        typed = {name: schema for name, schema in properties.items() if "type" in schema}
        function = {**tool, "parameters": {"type": "object", "properties": typed}}
        schema = OpenAIFunctionToolSchema.model_validate({"type": "function", "function": function})
        return FunctionTool(tool["name"], call, schema, is_async=True)

    async def _handle_pending_state(self, agent_data, sampling_params):
        self.messages = agent_data.messages
        return await super()._handle_pending_state(agent_data, sampling_params)

    async def _handle_generating_state(self, agent_data, *args, **kwargs):
        before = len(agent_data.messages)
        state = await super()._handle_generating_state(agent_data, *args, **kwargs)
        # verl does not add a message that it cut at a limit.
        if state == AgentState.TERMINATED and len(agent_data.messages) > before:
            await self.episode.answer(agent_data.messages[-1]["content"])
        return state

    async def _handle_processing_tools_state(self, agent_data):
        state = await super()._handle_processing_tools_state(agent_data)
        return AgentState.TERMINATED if self.episode.over else state

