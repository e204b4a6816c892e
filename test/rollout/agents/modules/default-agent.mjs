export default async function agent(session) {
  await session.call('guess', { number: 3 });
  return { stop: 'finished' };
}
