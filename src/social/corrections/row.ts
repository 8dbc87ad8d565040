import type { postCorrections } from '../schema.ts'

export type CorrectionRow = typeof postCorrections.$inferSelect
