import { STORE_MISTAKES, testMistakes } from './mistakes.ts';

testMistakes(STORE_MISTAKES);
