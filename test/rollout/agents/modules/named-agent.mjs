export const agent = async (session) => {
  await session.call('guess', { number: 3 });
};
