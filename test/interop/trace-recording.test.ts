import { expect, test } from '@jest/globals';
import countdown from '../../examples/countdown/environment.ts';
import { startRecording } from '../trace/recorder/recording-server.ts';
import { clients, describeWithPython, runPlayer } from './python.ts';

describeWithPython().each(clients)('$name, $mode', ({ name, mode }) => {
  test('plays as ever, and every episode is a trace with its rewards', async () => {
    await using recording = await startRecording(countdown);

    const played = await runPlayer('countdown_only_player.py', [recording.server.url, name, mode]);

    expect(played).toEqual({ exitCode: 0, lines: ['ok countdown'] });
    const traces = await recording.recorded();
    expect(recording.failures).toEqual([]);
    expect(traces).toHaveLength(4);
    for (const { trace, blocks } of traces) {
      expect(trace).toMatchObject({ environment: 'countdown', status: 'finished' });
      const submissions = blocks.filter(({ payload }) => 'name' in payload && payload.name === 'submit');
      expect(submissions.length).toBeGreaterThan(0);
      expect(trace.block_count).toBe(blocks.length);
    }
    expect(traces.map(({ trace }) => trace.reward_sum).sort()).toEqual([0, 1, 1, 1]);
  });
});
