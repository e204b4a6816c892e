throw new Error('nothing works here');
