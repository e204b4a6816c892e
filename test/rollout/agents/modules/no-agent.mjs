export const environment = { name: 'not an agent' };
