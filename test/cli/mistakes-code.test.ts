import { CODE_MISTAKES, testMistakes } from './mistakes.ts';

testMistakes(CODE_MISTAKES);
