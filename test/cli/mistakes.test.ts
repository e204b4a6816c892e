import { CALL_MISTAKES, testMistakes } from './mistakes.ts';

testMistakes(CALL_MISTAKES);
