export { type JournalOptions, openJournal } from './open-journal.ts';
