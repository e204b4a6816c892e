import type { operations } from '../../../generated/ors.ts';
import { andThen } from '../../core/index.ts';
import type { Handlers } from '../../http/index.ts';
import type { ServerContext } from '../context.ts';
import { withLookupTimeout } from '../limits/lookup-timeout.ts';
import { runAuthorCode } from '../observability/author-error.ts';
import { callTool } from './call-tool.ts';

type Interaction = Pick<operations, 'listTaskTools' | 'getPrompt' | 'callTool'>;

/** Handlers for the requests of an agent that plays an episode. Source: HTTP API, "Episode Interaction". */
export const interactionHandlers: Handlers<Interaction, ServerContext> = {
  async listTaskTools({ header, caller }, { sessions }) {
    const session = sessions.get(header['X-Session-ID'], caller);
    const episode = await session.hold(() => session.ready);
    const tools = [...episode.tools.values()].map(({ spec }) => spec);
    session.recorder?.tools(tools);
    return { tools };
  },

  getPrompt({ header, caller }, context) {
    const session = context.sessions.get(header['X-Session-ID'], caller);
    return session.hold(() =>
      andThen(session.readyEpisode ?? session.ready, (episode) => {
        const { lookupTimeoutMs } = context.settings;
        const lookUp = () => withLookupTimeout(lookupTimeoutMs, (wait) => episode.prompt(wait));
        const prompt = session.untilEnded(runAuthorCode(session.describeCode('prompt'), context, lookUp));
        return andThen(prompt, (blocks) => {
          session.recorder?.prompt(blocks);
          return [...blocks];
        });
      }),
    );
  },

  callTool,
};
